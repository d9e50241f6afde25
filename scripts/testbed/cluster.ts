// Starts the parts of a plan in the order in which compose.yaml lets them depend on each other, keeps them running as it does
// (`unless-stopped`), and lets a caller stop, kill and freeze each of them.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createProcesses, type SuiteProcess } from "./processes.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { readDeployment, ROOT, scrapeConfig } from "./compose.ts";
import { choosePlace, type Place } from "./place.ts";
import { type Part, type Plan, planCluster } from "./plan.ts";
import type { Programs } from "./programs.ts";
import { createReplicaSet, type ReplicaSet } from "./replica-set.ts";

export type Member = { part: Part; process: SuiteProcess; isWanted: boolean };

export type Cluster = {
  readonly url: string;
  readonly folder: string;
  /** Of the certificate that the balancer shows (PEM). */
  readonly ca: string;
  readonly plan: Plan;
  readonly members: readonly Member[];
  readonly set: ReplicaSet;
  /** Of this service, or of all whose name begins with it. */
  of(service: string): Member[];
  /** SIGTERM, until it has ended. It stays away until it is started again. */
  stop(member: Member): Promise<void>;
  /** Until it is ready. */
  start(member: Member): Promise<void>;
  /** Runs what ends by itself. Answers what it said last; rejects where it fails. */
  runJob(part: Part): Promise<string>;
  end(): Promise<void>;
};

export type ClusterOptions = {
  programs: Programs;
  folder: string;
  /** Of the balancer; 0 picks a free one. */
  port: number;
  say: (line: string) => void;
  /** Beside those that a cluster on one machine needs. */
  settings?: Readonly<Record<string, string>>;
  /** Where the code of our own services lies; here by default. */
  root?: string;
};

const READY_BOUND_MS = 180_000;
const AGAIN_AFTER_MS = 1_000;
/** Those on one line start together, after those before. */
const ORDER = [/^mongo\d$/, /^(redis|files)$/, /^core$/, /^(worker|gateway|mcp)$/, /^(caddy|prometheus)$/];

/** Everything has ended again if it rejects. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { programs, folder, port, say } = options;
  const place = await choosePlace(folder, port);
  makeSecrets(place, options.root);
  const url = urlOf(place);
  const plan = planFor(options, place);
  writeScrapes(place, plan);
  const set = createReplicaSet(place.ports.mongo, place.secrets);
  const keeper = createKeeper(place);
  try {
    for (const line of ORDER) {
      const parts = plan.parts.filter(({ service }) => line.test(service));
      if (parts.some(({ service }) => service === "core"))
        for (const job of plan.jobs) say(await keeper.runJob(job));
      say(`starting ${parts.map(({ name }) => name).join(", ")}`);
      await Promise.all(parts.map(keeper.begin));
      if (parts.some(({ service }) => service === "mongo1")) await set.make();
      if (parts.some(({ service }) => service === "files")) await makeBucket(programs, place);
    }
    return { url, folder, ca: await findCa(place, programs), plan, set, ...keeper };
  } catch (error) {
    await keeper.end();
    throw error;
  }
}

/** The plan of a cluster that was started with these options, but for the release that its parts run; with the secrets that this one needs. */
export async function planAgain(options: ClusterOptions): Promise<Plan> {
  const place = await choosePlace(options.folder, options.port);
  runSecretsScript(place.secrets, options.root);
  return planFor(options, place);
}

function planFor({ programs, settings = {}, root }: ClusterOptions, place: Place): Plan {
  return planCluster({
    deployment: readDeployment(root),
    programs,
    place,
    settings: { ...localSettings(urlOf(place)), ...settings },
    ...(root !== undefined && { root }),
  });
}

function urlOf({ ports }: Place): string {
  return `https://localhost:${ports.https}`;
}

type Keeper = Pick<Cluster, "members" | "of" | "stop" | "start" | "runJob" | "end"> & {
  begin(part: Part): Promise<void>;
};

/** The processes of a cluster. What ends though it is wanted is started again, as `restart: unless-stopped` does. */
function createKeeper(place: Place): Keeper {
  const processes = createProcesses();
  const members: Member[] = [];
  let isEnding = false;
  const launch = ({ name, command, args, env }: Part) =>
    processes.start(name, command, args, { env, logPath: join(place.folder("logs"), `${name}.log`) });

  async function keepUp(member: Member): Promise<void> {
    for (;;) {
      await member.process.ended;
      if (isEnding || !member.isWanted) return;
      await sleep(AGAIN_AFTER_MS);
      if (isEnding || !member.isWanted) return;
      member.process = launch(member.part);
    }
  }

  async function start(member: Member): Promise<void> {
    member.process = launch(member.part);
    member.isWanted = true;
    await ready(member);
    void keepUp(member);
  }

  return {
    members,
    of: (service) => members.filter(({ part }) => part.service.startsWith(service)),
    begin: async (part) => {
      const member: Member = { part, process: launch(part), isWanted: true };
      members.push(member);
      await ready(member);
      void keepUp(member);
    },
    runJob: async (part) => {
      const process = launch(part);
      const code = await process.ended;
      const said = process.output().trim();
      if (code !== 0) throw new Error(`${part.name} ended with ${code}: ${said}`);
      return `${part.name}: ${said.split("\n").at(-1)}`;
    },
    start,
    stop: async (member) => {
      member.isWanted = false;
      await member.process.signal("SIGTERM");
      await member.process.ended;
    },
    end: async () => {
      isEnding = true;
      await processes.end();
    },
  };
}

/** What an operator would write into deploy/.env, and what only a machine without a network of its own needs. */
function localSettings(url: string): Record<string, string> {
  return {
    ATELIER_BASE_URL: url,
    ATELIER_MAIL_FROM: "Atelier <no-reply@localhost>",
    // Whoever tries it receives callbacks on this machine.
    ATELIER_CALLBACK_ALLOW_PRIVATE: "1",
    ATELIER_ALLOW_INSECURE: "private_callbacks",
  };
}

/** That of the release at `root`; this one by default. What is there stays, and what is missing is added. */
export function runSecretsScript(folder: string, root = ROOT): void {
  const { status, stderr } = spawnSync("sh", [join(root, "deploy/secrets.sh"), folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(`deploy/secrets.sh failed: ${stderr}`);
}

function makeSecrets(place: Place, root: string | undefined): void {
  runSecretsScript(place.secrets, root);
  const path = join(place.secrets, "mongodb-uri");
  const members = place.ports.mongo.map((port) => `127.0.0.1:${port}`).join(",");
  writeFileSync(path, readFileSync(path, "utf8").replace("mongo1,mongo2,mongo3", members));
}

function writeScrapes(place: Place, { parts }: Plan): void {
  const targets = (name: string) =>
    parts.filter(({ service }) => service === name).map(({ readyAt }) => new URL(readyAt).host);
  place.write("prometheus.yaml", JSON.stringify(scrapeConfig(targets)));
}

async function ready({ part, process }: Member): Promise<void> {
  await waitFor(
    `${part.name} to be ready`,
    async () => {
      if (!process.isRunning()) return "ended";
      return (await answers(part.readyAt)) && "ready";
    },
    READY_BOUND_MS,
  ).then((how) => {
    if (how === "ended") throw new Error(`${part.name} ended: ${process.output().slice(-2_000)}`);
  });
}

async function answers(readyAt: string): Promise<boolean> {
  if (readyAt.startsWith("http://")) return (await fetch(readyAt)).ok;
  const [host = "", port = ""] = readyAt.split(":");
  const socket = connect({ host, port: Number(port) });
  try {
    await once(socket, "connect");
    return true;
  } finally {
    socket.destroy();
  }
}

/** What the service `bucket` does. Of the other store it is a folder. */
async function makeBucket({ weed }: Programs, { ports }: Place): Promise<void> {
  if (!weed) return;
  const [master] = ports.weed;
  await waitFor(
    "the bucket",
    () =>
      spawnSync(weed, ["shell", `-master=127.0.0.1:${master}.${ports.weed[3]}`], {
        input: "s3.bucket.create -name atelier\n",
        timeout: 20_000,
      }).status === 0,
    READY_BOUND_MS,
  );
}

/** Caddy makes an authority of its own for localhost, at its first start. */
async function findCa(place: Place, { caddy }: Programs): Promise<string> {
  if (!caddy) return join(place.secrets, "ca.pem");
  const root = join(place.folder("caddy"), "caddy/pki/authorities/local/root.crt");
  return waitFor("Caddy's authority", () => existsSync(root) && root, READY_BOUND_MS);
}
