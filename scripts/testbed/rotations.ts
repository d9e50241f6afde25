// Trials of rotating each secret by the steps of docs/operations/secrets.md: signatures of the old secret work until it is dropped, and are
// refused afterwards.
import { generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { MongoClient, type MongoClientOptions } from "mongodb";
import { Atelier } from "../../clients/js/src/index.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { atelier, type Cluster, type Member, runSecretsScript } from "./cluster.ts";
import { readReplicaSet } from "./compose.ts";
import { type Customer, signIn } from "./customers.ts";
import type { Fault } from "./faults.ts";
import { loadCode } from "./release.ts";
import { asMember, keysIn } from "./replica-set.ts";
import { restartInTurn, restartMongods, type Say } from "./restart.ts";
import { withApp } from "./with-app.ts";

export const ROTATIONS: readonly Fault[] = [
  { name: "rotation of ATELIER_SECRET", isFlawless: true, strike: rotateSecret },
  { name: "rotation of the service keys", isFlawless: true, strike: rotateServiceKeys },
  { name: "rotation of the gRPC certificate", isFlawless: true, strike: rotateCertificate },
  { name: "rotation of the MongoDB password", isFlawless: true, strike: rotateDatabasePassword },
  { name: "rotation of the key file of the mongods", isFlawless: true, strike: rotateKeyFile },
];

/** Other secrets of the topology, and why they are not rotated. */
export const NOT_ROTATED =
  "Redis has no password in compose.yaml; the file store has one pair of keys, which its command reads at its start";

const HOLDERS = ["gateway", "mcp", "core", "worker"];
const SERVICES = ["gateway", "mcp", "cli"];
const JOB_BOUND_MS = 60_000;
const AUTHENTICATION_FAILED = 18;

type TrustedKeys = { keys: object[] };

/** The path of a secret that deploy/secrets.sh creates. */
function secretOf({ folder }: Cluster, name: string): string {
  return join(folder, "secrets", name);
}

function expectSame(got: unknown, wanted: unknown, what: string): void {
  if (got !== wanted) throw new Error(`${what}: ${String(got)} instead of ${String(wanted)}`);
}

async function rotateSecret(cluster: Cluster, say: Say, customers: readonly Customer[]): Promise<void> {
  const path = secretOf(cluster, "atelier-secret");
  const old = readFileSync(path, "utf8");
  const next = randomBytes(48).toString("base64");
  const address = await findOutput(cluster, customers);
  const cookies = customers.map(({ cookie }) => cookie);
  const expectOpen = async () => {
    for (const status of [await statusOf(address), await pageOf(cluster, cookies[0])])
      expectSame(status, 200, "what the old secret signed");
  };

  setAccepted(cluster, next);
  await restartInTurn(cluster, HOLDERS, say);
  await expectOpen();
  say("1. the new secret is accepted everywhere; an output's address and a session of before open");

  writeFileSync(path, next);
  setAccepted(cluster, old);
  await restartInTurn(cluster, HOLDERS, say);
  await expectOpen();
  say("2. every process signs with the new secret; the address and the session of before open");

  // A month passes, in which people sign in again.
  await signInAgain(cluster, customers);
  setAccepted(cluster, undefined);
  await restartInTurn(cluster, HOLDERS, say);
  expectSame(await statusOf(address), 404, "an address that the old secret signed");
  expectSame(await pageOf(cluster, cookies[0]), 303, "a page for a session of the old secret");
  say("3. the old secret is dropped; its address is answered 404, its session is sent to sign in");
}

/** A line in deploy/.env, which every process of the service reads. */
function setAccepted(cluster: Cluster, secret: string | undefined): void {
  for (const member of HOLDERS.flatMap((service) => cluster.of(service))) {
    const { ATELIER_SECRET_ACCEPTED: _, ...env } = member.part.env;
    const accepted = secret === undefined ? {} : { ATELIER_SECRET_ACCEPTED: secret };
    member.part = { ...member.part, env: { ...env, ...accepted } };
  }
}

/** The signed URL of a file from a job of the load. */
async function findOutput({ url }: Cluster, [customer]: readonly Customer[]): Promise<string> {
  const client = new Atelier({ baseUrl: url, apiKey: customer?.generationKey });
  return waitFor(
    "an output",
    async () => {
      for await (const { outputs } of client.jobs({ state: "completed" })) return outputs[0]?.url;
    },
    JOB_BOUND_MS,
  );
}

async function statusOf(address: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(address, { redirect: "manual", headers });
  await answer.body?.cancel();
  return answer.status;
}

/** A page for signed-in people only. */
function pageOf({ url }: Cluster, cookie = ""): Promise<number> {
  return statusOf(`${url}/jobs`, { cookie, accept: "text/html", "sec-fetch-site": "none" });
}

async function signInAgain(cluster: Cluster, customers: readonly Customer[]): Promise<void> {
  const code = await loadCode();
  await withApp(cluster, async ({ app }) => {
    for (const customer of customers) customer.cookie = await signIn(app, cluster.url, customer.email, code);
  });
}

async function rotateServiceKeys(cluster: Cluster, say: Say): Promise<void> {
  const setPath = secretOf(cluster, "trusted-keys.json");
  const { keys: old } = JSON.parse(readFileSync(setPath, "utf8")) as TrustedKeys;
  const made = SERVICES.map((name) => ({ name, ...generateKeyPairSync("ed25519") }));
  const added = made.map(({ name, publicKey }) => ({ ...publicKey.export({ format: "jwk" }), name }));
  const write = (keys: object[]) => writeFileSync(setPath, JSON.stringify({ keys }));
  const oldCliKey = "cli-key.old.pem";
  copyFileSync(secretOf(cluster, "cli-key.pem"), secretOf(cluster, oldCliKey));

  write([...old, ...added]);
  await restartInTurn(cluster, ["core"], say);
  say("1. core accepts the new key of each service as well as the old one");

  for (const { name, privateKey } of made)
    writeFileSync(secretOf(cluster, `${name}-key.pem`), privateKey.export({ type: "pkcs8", format: "pem" }));
  await restartInTurn(cluster, ["gateway", "mcp"], say);
  expectSame(await audit(cluster, oldCliKey), undefined, "the old key of the CLI");
  say("2. gateways, tool servers and CLI sign with their new keys; the CLI's old one works");

  write(added);
  await restartInTurn(cluster, ["core"], say);
  const refusal = (await audit(cluster, oldCliKey)) ?? "nothing";
  expectSame(
    /does not accept this service key/.test(refusal),
    true,
    `that the CLI's old key is refused: ${refusal}`,
  );
  say("3. core accepts the new keys alone; the CLI's old one is refused");
}

/** Another certificate of the same authority: clients need nothing new. */
async function rotateCertificate(cluster: Cluster, say: Say): Promise<void> {
  const path = secretOf(cluster, "core.pem");
  const before = readFileSync(path, "utf8");
  for (const name of ["core.pem", "core-key.pem"]) rmSync(secretOf(cluster, name));
  runSecretsScript(join(cluster.folder, "secrets"));
  const made = new X509Certificate(readFileSync(path));
  const authority = new X509Certificate(readFileSync(secretOf(cluster, "ca.pem")));
  expectSame(made.verify(authority.publicKey), true, "that the same authority signed it");
  expectSame(readFileSync(path, "utf8") === before, false, "that it is another one");
  say("1. core's authority has signed another certificate");

  await restartInTurn(cluster, ["core"], say);
  for (const core of cluster.of("core"))
    expectSame(await shownBy(core), made.fingerprint256, `the certificate of ${core.part.name}`);
  say("2. each core shows the new certificate");
}

async function shownBy({ part }: Member): Promise<string> {
  const [host = "", port = ""] = part.address.split(":");
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ["h2"] });
  try {
    await once(socket, "secureConnect");
    return socket.getPeerCertificate().fingerprint256;
  } finally {
    socket.destroy();
  }
}

/** The output of an operator's audit with this key if it fails. */
function audit(cluster: Cluster, key: string): Promise<string | undefined> {
  return atelier(cluster, ["audit", "--model"], key).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

/** A second user replaces the first. */
async function rotateDatabasePassword(cluster: Cluster, say: Say): Promise<void> {
  const [uriPath, passwordPath] = [secretOf(cluster, "mongodb-uri"), secretOf(cluster, "mongo-password")];
  const oldUri = readFileSync(uriPath, "utf8");
  const { roles } = readReplicaSet(passwordPath).user;
  const oldUser = new URL(oldUri.replace(/,[^/]*/, "")).username;
  const [user, password] = [`atelier-${randomBytes(3).toString("hex")}`, randomBytes(24).toString("hex")];

  await cluster.set.command({ createUser: user, pwd: password, roles });
  say(`1. MongoDB knows ${user} beside ${oldUser}, with the same roles`);

  writeFileSync(uriPath, oldUri.replace(/\/\/[^@]*@/, `//${user}:${password}@`));
  writeFileSync(passwordPath, password);
  await restartInTurn(cluster, ["core", "worker"], say);
  expectSame(await refusalOf(oldUri), undefined, "the first user's password");
  say(`2. cores and workers are ${user}; the first password still opens the database`);

  await cluster.set.command({ dropUser: oldUser });
  expectSame(await refusalOf(oldUri), AUTHENTICATION_FAILED, "the first user's password");
  say(`3. ${oldUser} is dropped, and its password refused`);
}

/** Each round restarts every member. */
async function rotateKeyFile(cluster: Cluster, say: Say): Promise<void> {
  const path = secretOf(cluster, "mongo-key");
  const [old = ""] = keysIn(path);
  const next = randomBytes(756).toString("base64");
  const rounds: readonly (readonly [keys: readonly string[], done: string])[] = [
    [[old, next], "1. each member accepts the new key as well as the old one"],
    [[next, old], "2. each member shows the new key"],
    [[next], "3. the old key is dropped"],
  ];
  for (const [keys, done] of rounds) {
    const dropped = !keys.includes(old);
    writeFileSync(path, keys.map((key) => `- ${key}\n`).join(""));
    await restartMongods(cluster, say);
    const refusal = await refusalOf(
      `mongodb://127.0.0.1:${await cluster.set.primary()}/?directConnection=true`,
      asMember(old),
    );
    expectSame(refusal, dropped ? AUTHENTICATION_FAILED : undefined, "a client with the old key");
    say(`${done}; a client with the old one is ${dropped ? "refused" : "let in"}`);
  }
}

/** MongoDB's code for a refused login; undefined when it accepts. */
async function refusalOf(uri: string, options: MongoClientOptions = {}): Promise<unknown> {
  const client = new MongoClient(uri, options);
  try {
    await client.db("admin").command({ connectionStatus: 1 });
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code ?? (error as Error).message;
  } finally {
    await client.close();
  }
}
