// Starts the parts of a plan in compose.yaml's order of dependencies, restarts them as it does (`unless-stopped`), and lets a caller stop,
// kill and freeze each of them.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { SET_SETTINGS } from "../../core/operations/checkup/fail-over-rules.ts";
import { CACHE_DIR } from "../../runtime/mongod/binary-cache.ts";
import { keepNewFilesPrivate } from "../../runtime/process/private-folder.ts";
import { startTcpProxy, type TcpProxy } from "../../test/support/tcp-proxy.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import type { AtEnd } from "./command.ts";
import { OWN_IMAGE, readDeployment, ROOT } from "./compose.ts";
import { type Container, IMAGE_FOLDER } from "./image/container.ts";
import { choosePlace, type Place } from "./place.ts";
import { type ForFaults, type Part, type Plan, planCluster } from "./plan.ts";
import { createProcesses, type ServiceProcess } from "./processes.ts";
import { findPrograms, type Programs } from "./programs.ts";
import { createReplicaSet, type ReplicaSet } from "./replica-set.ts";

/** The prefix by which links distinguish connections of cores from those of members and workers. */
export const CORE_NAME = "faults-core";

export type Member = { part: Part; process: ServiceProcess; isWanted: boolean };

export type Cluster = {
  readonly url: string;
  readonly folder: string;
  /** The balancer's certificate (PEM). */
  readonly ca: string;
  readonly plan: Plan;
  readonly members: readonly Member[];
  readonly set: ReplicaSet;
  /** The links of a service for faults: to its cores, and to the members of its replica set. */
  readonly links: { readonly cores: readonly TcpProxy[]; readonly mongods: readonly TcpProxy[] };
  /** The processes of this service, or of all services with this prefix. */
  of(service: string): Member[];
  /** Sends SIGTERM and waits for the end. The process is not restarted. */
  stop(member: Member): Promise<void>;
  /** Resolves when it is ready. */
  start(member: Member): Promise<void>;
  /** Runs a job that ends. Returns its last output; rejects when it fails. */
  runJob(part: Part): Promise<string>;
  /** The same with arguments of node and the settings of a service, changed by `env`. */
  runLike(service: string, args: readonly string[], env?: Part["env"]): Promise<string>;
  /** The plan of this checkout for the same place, with the secrets that it needs. */
  planAgain(): Plan;
};

export type ClusterOptions = {
  /** A new one by default, which ends with the command. */
  folder?: string;
  /** The balancer's port; 0 selects a free one. */
  port?: number;
  say?: (line: string) => void;
  /** Programs to ignore. */
  without?: readonly string[];
  /** In addition to the settings that a cluster on one machine needs. */
  settings?: Readonly<Record<string, string>>;
  /** The folder of the service's code; this checkout by default. */
  root?: string;
  /** A smaller service for faults. */
  forFaults?: ForFaults;
  /** Runs the services of the project's image in containers of it. */
  container?: Container;
};

const READY_BOUND_MS = 180_000;
const AGAIN_AFTER_MS = 1_000;
/** MongoDB's own settings, except the election timeout. */
const DEFAULT_SETTINGS = { electionTimeoutMillis: SET_SETTINGS.electionTimeoutMillis };
/** Services on one line start together, after those before. */
const ORDER = [/^mongo\d$/, /^(redis|files)$/, /^core$/, /^(worker|gateway|mcp)$/, /^caddy$/];

/** With this machine's programs. It ends with the command. This process trusts its certificate from now on. */
export async function openCluster(atEnd: AtEnd, given: ClusterOptions = {}): Promise<Cluster> {
  keepNewFilesPrivate();
  const { say = console.error, without = [], folder = newFolder(atEnd), ...options } = given;
  const programs = await findPrograms(say, without);
  const place = await choosePlace(folder, options.port ?? 0);
  const links = options.forFaults ? await openLinks(place) : { cores: [], mongods: [] };
  atEnd(async () => void (await Promise.all([...links.cores, ...links.mongods].map((link) => link.cut()))));
  makeSecrets(place, links.mongods, options.root);
  const plan = planFor(options, { programs, place, links });
  const set = createReplicaSet(place.ports.mongo, {
    ...(options.forFaults && { hosts: links.mongods.map(({ port }) => port) }),
    ...(options.forFaults?.isDefault && { settings: DEFAULT_SETTINGS }),
    secrets: place.secrets,
  });
  const { begin, end, ...keeper } = createKeeper(place, options.container);
  atEnd(end);
  for (const line of ORDER) {
    const parts = plan.parts.filter(({ service }) => line.test(service));
    if (parts.some(({ service }) => service === "core"))
      for (const job of plan.jobs) say(await keeper.runJob(job));
    if (parts.length > 0) say(`starting ${parts.map(({ name }) => name).join(", ")}`);
    await Promise.all(parts.map(begin));
    if (parts.some(({ service }) => service === "mongo1")) await set.make();
  }
  const silent = links.mongods.filter((link) => link.count(CORE_NAME) === 0);
  if (silent.length > 0) throw new Error("the links do not recognise the connections of cores");
  const ca = options.forFaults ? "" : await findCa(place, programs);
  if (ca !== "") setDefaultCACertificates([...getCACertificates(), readFileSync(ca, "utf8")]);
  const planAgain = () => {
    runSecretsScript(place.secrets);
    return planFor({ ...options, root: ROOT }, { programs, place });
  };
  return { url: urlOf(options, place), folder, ca, plan, set, links, ...keeper, planAgain };
}

/** On a disk, where fsync is real: the system's temporary folder may be in memory. */
function newFolder(atEnd: AtEnd): string {
  mkdirSync(CACHE_DIR, { recursive: true });
  const folder = mkdtempSync(join(CACHE_DIR, "cluster-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function openLinks(place: Place): Promise<Cluster["links"]> {
  const cores = place.hosts("core", 2).map((host) => startTcpProxy(place.ports.grpc, host));
  return {
    cores: await Promise.all(cores),
    mongods: await Promise.all(place.ports.mongo.map((port) => startTcpProxy(port))),
  };
}

function planFor(
  options: ClusterOptions,
  { programs, place, links }: { programs: Programs; place: Place; links?: Cluster["links"] },
): Plan {
  const { settings = {}, container, root = container && IMAGE_FOLDER, forFaults } = options;
  return planCluster({
    deployment: readDeployment(options.root),
    programs,
    place,
    settings: { ...localSettings(urlOf(options, place)), ...settings },
    ...(root !== undefined && { root }),
    ...(forFaults && links && { forFaults, corePorts: links.cores.map(({ port }) => port) }),
  });
}

/** The load balancer's URL; for a service for faults, which has none, its gateway's. */
function urlOf({ forFaults }: ClusterOptions, { ports, hosts }: Place): string {
  return forFaults ? `http://${hosts("gateway", 1)[0]}:${ports.http}` : `https://localhost:${ports.https}`;
}

type Keeper = Pick<Cluster, "members" | "of" | "stop" | "start" | "runJob" | "runLike"> & {
  begin(part: Part): Promise<void>;
  end(): Promise<void>;
};

/** The processes of a cluster. A process that ends unexpectedly is restarted, as with `restart: unless-stopped`. */
function createKeeper(place: Place, container: Container | undefined): Keeper {
  const processes = createProcesses();
  const members: Member[] = [];
  let isEnding = false;
  let commands = 0;
  const { services } = readDeployment();
  const launch = (part: Part) => {
    const isOwn = services[part.service]?.image === OWN_IMAGE;
    const { command, args, env } = container && isOwn ? container(part) : part;
    const logPath = join(place.folder("logs"), `${part.name}.log`);
    return processes.start(part.name, command, args, { env, logPath, cwd: ROOT });
  };
  const runJob = async (part: Part): Promise<string> => {
    const process = launch(part);
    const code = await process.ended;
    const said = process.output().trim();
    if (code !== 0) throw new Error(`${part.name} ended with ${code}: ${said}`);
    return `${part.name}: ${said.split("\n").at(-1)}`;
  };

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
    runJob,
    runLike: (service, args, env = {}) => {
      const like = members.find(({ part }) => part.service === service)?.part;
      if (!like) throw new Error(`no ${service} runs`);
      const name = `${service}-command-${++commands}`;
      return runJob({ ...like, name, command: process.execPath, args, env: { ...like.env, ...env } });
    },
    start,
    stop: async (member) => {
      member.isWanted = false;
      await member.process.stop();
    },
    end: async () => {
      isEnding = true;
      await processes.end();
    },
  };
}

/** An operator's command, with the settings of a client of core and the CLI's own key. */
export function atelier(cluster: Cluster, words: readonly string[], key = "cli-key.pem"): Promise<string> {
  const own = cluster.of("gateway")[0]?.part.env["ATELIER_SERVICE_KEY_FILE"] ?? "";
  const env = { ATELIER_SERVICE_KEY_FILE: join(dirname(own), key) };
  return cluster.runLike("gateway", ["cli/atelier.ts", ...words], env);
}

/** Settings that an operator would write into deploy/.env, and those for a machine without a container network. */
function localSettings(url: string): Record<string, string> {
  return {
    ATELIER_BASE_URL: url,
    ATELIER_MAIL_FROM: "Atelier <no-reply@localhost>",
    // Webhooks go to this machine.
    ATELIER_CALLBACK_ALLOW_PRIVATE: "1",
    ATELIER_ALLOW_INSECURE: url.startsWith("https:")
      ? "private_callbacks"
      : "private_callbacks,http_base_url",
  };
}

/** Runs the secrets script of the release at `root`; this one by default. Existing secrets stay, and missing ones are added. */
export function runSecretsScript(
  folder: string,
  { root = ROOT, mongoHosts = "" }: { root?: string | undefined; mongoHosts?: string } = {},
): void {
  const { status, stderr } = spawnSync("sh", [join(root, "deploy/secrets.sh"), folder], {
    // oxlint-disable-next-line node/no-process-env -- PATH, for openssl
    env: { ...process.env, MONGO_HOSTS: mongoHosts },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`deploy/secrets.sh failed: ${stderr}`);
}

/** Cores of a service with links identify themselves to the links. */
function makeSecrets(place: Place, links: readonly TcpProxy[], root: string | undefined): void {
  const ports = links.length > 0 ? links.map(({ port }) => port) : place.ports.mongo;
  const members = ports.map((port) => `127.0.0.1:${port}`).join(",");
  runSecretsScript(place.secrets, { root, mongoHosts: members });
  const path = join(place.secrets, "mongodb-uri");
  // Releases before this one have no MONGO_HOSTS.
  writeFileSync(path, readFileSync(path, "utf8").replace("mongo1,mongo2,mongo3", members));
  if (links.length > 0)
    place.write("secrets/mongodb-uri-core", `${readFileSync(path, "utf8")}&appName=${CORE_NAME}`);
}

async function ready({ part, process }: Member): Promise<void> {
  const { readyAt } = part;
  if (readyAt === undefined) await process.nextMessage();
  else await process.until(`${part.name} to be ready`, () => answers(readyAt), READY_BOUND_MS);
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

/** Caddy creates its own authority for localhost at its first start. */
async function findCa(place: Place, { caddy }: Programs): Promise<string> {
  if (!caddy) return join(place.secrets, "ca.pem");
  const root = join(place.folder("caddy"), "caddy/pki/authorities/local/root.crt");
  return waitFor("Caddy's authority", () => existsSync(root) && root, READY_BOUND_MS);
}
