// Core and gateway as operators run them, accounts that hold keys, and answers whose bodies nobody reads, for measurements of what stays open.
import { mkdtempSync, rmSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount } from "../../core/identity/accounts/create-account.ts";
import { createKey } from "../../core/identity/accounts/create-key.ts";
import type { App } from "../../core/kernel/app.ts";
import type { JobsApp } from "../../core/studio/jobs/intake.ts";
import { grantCredits } from "../../core/identity/credits/grant.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { type Role, startRole } from "./role.ts";
import { openBenchApp, prepare, startBenchMongod } from "./world.ts";

export type StreamWorld = {
  readonly app: JobsApp;
  /** Of the gateway. */
  readonly port: number;
  readonly core: Role;
  readonly gateway: Role;
  close(): Promise<void>;
};

export async function startStreamWorld(
  database: string,
  env: Record<string, string> = {},
): Promise<StreamWorld> {
  const folder = mkdtempSync(join(tmpdir(), `atelier-bench-${database}-`));
  const mongod = await startBenchMongod();
  const { app, close } = await openBenchApp(mongod.uri, database);
  await prepare(app);
  const [port, grpcPort] = [await freePort(), await freePort()];
  const common = {
    MONGODB_URI: mongod.uri,
    ATELIER_MONGO_DATABASE: database,
    ATELIER_DATA_DIR: folder,
    ATELIER_SECRET: "only for measurements on this machine",
    ATELIER_GRPC_PORT: String(grpcPort),
    ATELIER_HTTP_PORT: String(port),
    ATELIER_CORE_ADDRESS: `127.0.0.1:${grpcPort}`,
    ...env,
  };
  const { role: core } = await startRole("core", common);
  const { role: gateway } = await startRole("gateway", common);
  return {
    app,
    port,
    core,
    gateway,
    close: async () => {
      await gateway.stop();
      await core.stop();
      await close();
      await mongod.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const callerOf = (key: string) => ({ kind: "key", keySha256: hashApiKey(key), source: "api" }) as const;

export type Holder = { accountId: string; key: string; caller: ReturnType<typeof callerOf> };

/** An account of its own with credits and a key. */
export async function createHolder(app: App): Promise<Holder> {
  const email = `${app.newId("bench").toLowerCase()}@example.com`;
  const { _id: accountId } = await createAccount(app, { email, name: "Bench", plan: "studio" });
  await grantCredits(app, { accountId, amount: 1_000, kind: "grant", memo: null, source: "system" });
  const { secret: key } = await createKey(app, accountId, { name: "bench", scope: "write", expiresAt: null });
  return { accountId, key, caller: callerOf(key) };
}

export type Opened = { sent: ClientRequest; response: IncomingMessage };

/** Resolves with the head of the answer, whose body nobody reads. On a connection of its own. */
export function openUnread(port: number, path: string, key: string): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    const sent = request({ host: "127.0.0.1", port, path, agent: false, headers });
    sent.once("response", (response) => {
      response.on("error", () => {});
      resolve({ sent, response });
    });
    sent.on("error", reject);
    sent.end();
  });
}
