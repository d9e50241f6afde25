// An installation of compose.yaml's services on this machine: its settings and secrets, with local ports instead of names, a mongod on
// loopback with a password, and the demonstration account. Settings of missing services (Redis, an object store, TLS) are left out by name.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenedApp } from "../../../core/entry/start.ts";
import { migrate } from "../../../core/entry/migrate.ts";
import { ROLES } from "../../../runtime/config/config-keys.ts";
import { createLog } from "../../../runtime/log/log.ts";
import { findMongod } from "../../../runtime/mongod/find.ts";
import { startMongod } from "../../../runtime/mongod/mongod.ts";
import { freePort } from "../../../runtime/process/free-port.ts";
import type { AtEnd } from "../command.ts";
import { DEPLOY, readDeployment } from "../compose.ts";
import { loadCode } from "../release.ts";
import { withData } from "../with-app.ts";
import { seedDemo } from "../../start/seed.ts";
import type { Order } from "./container.ts";

const LEFT_OUT = /^ATELIER_(REDIS|S3)_/;
export type Role = (typeof ROLES)[number];

export type Installation = {
  /** The environment of a service of compose.yaml. */
  order(service: Role | "migrate"): Order;
  opsPort(role: Role): number;
  readonly url: string;
  readonly toolsUrl: string;
  /** The folder of demo.json. */
  readonly dataDir: string;
  readonly memberKey: string;
};

export async function openInstallation(work: string, atEnd: AtEnd): Promise<Installation> {
  const folder = join(work, "installation");
  rmSync(folder, { recursive: true, force: true });
  const [dataDir, secrets] = [join(folder, "data"), join(folder, "secrets")];
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const mongod = await startMongod({
    binary: await findMongod({ path: undefined, say: console.log }),
    dbPath: join(dataDir, "mongo"),
    logPath: join(dataDir, "mongod.log"),
    port: 0,
    accessDir: dataDir,
    log: createLog("error", "try-image"),
    onLost: (error) => console.error(error.message),
  });
  atEnd(mongod.stop);
  mkdirSync(secrets);
  writeFileSync(join(secrets, "mongodb-uri"), mongod.uri);
  execFileSync(join(DEPLOY, "secrets.sh"), [secrets], { stdio: "ignore" });

  const ports = new Map<string, number>();
  for (const role of ROLES)
    for (const kind of ["http", "grpc", "ops"]) ports.set(`${role} ${kind}`, await freePort());
  const port = (role: string, kind: string): number => ports.get(`${role} ${kind}`) ?? 0;
  const url = `http://127.0.0.1:${port("gateway", "http")}`;
  const { services } = readDeployment();
  const order = (name: Role | "migrate"): Order => {
    const { command = [], environment = {}, secrets: mounted = [] } = services[name] ?? {};
    const said = Object.entries(environment).filter(([variable]) => !LEFT_OUT.test(variable));
    return {
      args: command,
      env: {
        ...Object.fromEntries(said),
        ...local(url),
        ATELIER_HTTP_PORT: String(port(name, "http")),
        ATELIER_GRPC_PORT: String(port(name, "grpc")),
        ATELIER_OPS_PORT: String(port(name, "ops")),
        ...("ATELIER_CORE_ADDRESS" in environment && {
          ATELIER_CORE_ADDRESS: `127.0.0.1:${port("core", "grpc")}`,
        }),
      },
      files: Object.fromEntries(mounted.map((secret) => [`/run/secrets/${secret}`, join(secrets, secret)])),
    };
  };
  const memberKey = await seed({ MONGODB_URI: mongod.uri, ATELIER_DATA_DIR: dataDir, ATELIER_BASE_URL: url });
  const opsPort = (role: Role): number => port(role, "ops");
  return { order, opsPort, url, toolsUrl: `http://127.0.0.1:${port("mcp", "http")}`, dataDir, memberKey };
}

/** The demo's webhooks go to this machine, and there is no public certificate. */
function local(url: string): Record<string, string> {
  return {
    ATELIER_BASE_URL: url,
    ATELIER_ALLOW_INSECURE: "http_base_url,private_callbacks",
    ATELIER_CALLBACK_ALLOW_PRIVATE: "1",
    ATELIER_LEAVE_MS: "100",
    ATELIER_LOG_LEVEL: "warn",
  };
}

/** Production seeds nothing, so the demo's account is created from outside. Writes demo.json and returns the member key. */
async function seed(env: Record<string, string>): Promise<string> {
  const code = await loadCode();
  const work = async ({ app }: OpenedApp) => {
    await migrate(app);
    return (await seedDemo(app, app.config)).secrets.member_key;
  };
  return withData(code.loadConfig(env), work, code);
}
