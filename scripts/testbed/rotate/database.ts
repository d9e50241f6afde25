// The rotation of what opens the database: the password of its user, and the key that the members of the replica set share.
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { MongoClient, type MongoClientOptions } from "mongodb";
import type { Cluster } from "../cluster.ts";
import { readReplicaSet } from "../compose.ts";
import { keysIn } from "../replica-set.ts";
import { restartInTurn, restartMongods, type Say } from "../restart.ts";
import { expectSame, secretOf } from "./secret-file.ts";

const AUTHENTICATION_FAILED = 18;

/** A second user takes over from the first. */
export async function rotateDatabasePassword(cluster: Cluster, say: Say): Promise<void> {
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
export async function rotateKeyFile(cluster: Cluster, say: Say): Promise<void> {
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
      {
        auth: { username: "__system", password: old },
        authSource: "local",
        authMechanism: "SCRAM-SHA-256",
      },
    );
    expectSame(refusal, dropped ? AUTHENTICATION_FAILED : undefined, "a client with the old key");
    say(`${done}; a client with the old one is ${dropped ? "refused" : "let in"}`);
  }
}

/** The code with which MongoDB refuses to let somebody in; undefined where it does not. */
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
