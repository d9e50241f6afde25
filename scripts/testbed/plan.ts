// Plans compose.yaml on one machine without containers: each container is a process with the same command and settings, with local
// addresses and paths. Parts that are unavailable here are left out by name.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DEPLOY, type Deployment, OWN_IMAGE, ROOT, type Service } from "./compose.ts";
import type { Place } from "./place.ts";
import type { Programs } from "./programs.ts";

const ROLE_PROCESS = fileURLToPath(new URL("../../test/support/role-process.ts", import.meta.url));
/** A service for faults is minimal, with one gateway for its clients. */
const FOR_FAULTS = /^(mongo\d|mongo-set|migrate|core|worker|gateway)$/;
const BALANCER = fileURLToPath(new URL("balancer-process.ts", import.meta.url));
const CACHE_GB = "0.25";
/** Services whose work the start of the cluster does itself; the store's bucket is a folder. */
const DONE = new Set(["mongo-set", "bucket"]);
const NO_STORE = "no versitygw on the PATH: files stay in the database";
const S3_SETTINGS = ["ENDPOINT", "BUCKET", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"].flatMap((key) => [
  `ATELIER_S3_${key}`,
  `ATELIER_S3_${key}_FILE`,
]);

export type Part = {
  /** The name of one process, such as `core-2`. */
  readonly name: string;
  /** The name of its service in compose.yaml. */
  readonly service: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The printed URL. */
  readonly address: string;
  /** The process is ready once this responds: with 200 for an HTTP URL, else with a connection. Absent: with its first IPC message. */
  readonly readyAt?: string;
};

/** A smaller service, with links in every connection and a provider that follows prompts. Its frozen mongods are not ended. */
export type ForFaults = {
  /** The members have MongoDB's own parameters. */
  readonly isDefault: boolean;
};

export type Left = { readonly service: string; readonly why: string; readonly settings: readonly string[] };

export type Plan = {
  readonly parts: readonly Part[];
  /** Jobs that run once: after the replica set is initiated, before their dependents. */
  readonly jobs: readonly Part[];
  /** Services whose work the start of the cluster does itself. */
  readonly done: readonly string[];
  readonly leftOut: readonly Left[];
};

/** `settings` are those that an operator writes into deploy/.env. */
export type Planned = {
  readonly deployment: Deployment;
  readonly programs: Programs;
  readonly place: Place;
  readonly settings: Readonly<Record<string, string>>;
  /** The folder of the service's code; this checkout by default. */
  readonly root?: string;
  readonly forFaults?: ForFaults;
  /** The addresses of the links to the cores, instead of the cores' own. */
  readonly corePorts?: readonly number[];
};

/** Throws when a part of compose.yaml has no counterpart here. */
export function planCluster(planned: Planned): Plan {
  const { services } = planned.deployment;
  const leftOut = left(planned.programs);
  const parts: Part[] = [];
  const jobs: Part[] = [];
  const done: string[] = [];
  for (const [name, service] of Object.entries(services)) {
    if (planned.forFaults && !FOR_FAULTS.test(name)) continue;
    if (service.profiles || leftOut.some(({ service: gone }) => gone === name)) continue;
    if (DONE.has(name)) done.push(name);
    else if (service.image === OWN_IMAGE)
      (service.restart === "no" ? jobs : parts).push(...own(name, service, planned, leftOut));
    else parts.push(other(name, service, planned));
  }
  return { parts, jobs, done, leftOut };
}

function left({ redis, versitygw }: Programs): Left[] {
  const left = (service: string, why: string, settings: readonly string[] = []) => ({
    service,
    why,
    settings,
  });
  return [
    left("prometheus", "nothing here reads what it collects"),
    left("grafana", "draws what Prometheus has"),
    ...(redis
      ? []
      : [left("redis", "no redis-server: each process counts rates for itself", ["ATELIER_REDIS_URL"])]),
    ...(versitygw ? [] : ["files", "bucket"].map((service) => left(service, NO_STORE, S3_SETTINGS))),
  ];
}

function hostsOf(name: string, { services }: Deployment, place: Place): string[] {
  return place.hosts(name, services[name]?.deploy?.replicas ?? 1);
}

/** A service of the project's image, in compose's number. */
function own(
  name: string,
  service: Service,
  { deployment, place, settings, root = ROOT, forFaults, corePorts }: Planned,
  leftOut: readonly Left[],
): Part[] {
  const gone = new Set(leftOut.flatMap((one) => one.settings));
  const { http, grpc, ops } = place.ports;
  const cores =
    corePorts?.map((port) => `127.0.0.1:${port}`) ??
    hostsOf("core", deployment, place).map((host) => `${host}:${grpc}`);
  const isDouble = forFaults !== undefined && (name === "core" || name === "worker");
  const hosts = hostsOf(name, deployment, place);
  return hosts.slice(0, forFaults && name === "gateway" ? 1 : hosts.length).map((host, n) => {
    const said = { ...deployment.imageEnv, ...settings, ...service.environment };
    const kept = Object.entries(said).filter(([variable]) => !gone.has(variable));
    const env = {
      ...Object.fromEntries(kept.map(([variable, value]) => [variable, place.here(value, host, cores)])),
      ATELIER_HTTP_PORT: String(http),
      ATELIER_GRPC_PORT: String(grpc),
      ATELIER_OPS_PORT: String(ops),
      // The certificate is for the name that these addresses replace.
      ...("ATELIER_CORE_TLS_CA" in said && { ATELIER_CORE_TLS_NAME: "core" }),
      ...(isDouble && { ATELIER_ROLES: name }),
      ...(isDouble && name === "core" && { MONGODB_URI_FILE: join(place.secrets, "mongodb-uri-core") }),
    };
    const port = name === "core" ? grpc : name === "gateway" || name === "mcp" ? http : ops;
    return {
      name: `${name}-${n + 1}`,
      service: name,
      command: process.execPath,
      args: isDouble ? [ROLE_PROCESS] : (service.command ?? []).map((word) => join(root, word)),
      env,
      address: `${host}:${port}`,
      ...(!isDouble && { readyAt: `http://${host}:${ops}/readyz` }),
    };
  });
}

/** A service of a third-party image. */
function other(name: string, service: Service, planned: Planned): Part {
  if (/^mongo\d$/.test(name)) return mongod(name, service, planned);
  const make = { redis, files, caddy }[name];
  if (!make) throw new Error(`compose.yaml has a service that has no counterpart here: ${name}`);
  return { name: `${name}-1`, service: name, env: {}, ...make(service, planned) };
}

type Made = Omit<Part, "name" | "service" | "env"> & { readonly env?: Part["env"] };

function mongod(name: string, { command = [] }: Service, { programs, place, forFaults }: Planned): Part {
  const port = place.ports.mongo[Number(name.slice(-1)) - 1] ?? 0;
  const folder = place.folder(name);
  const local = [
    [`exec ${programs.mongod} --dbpath ${folder} --port ${port} --logpath ${folder}.log --logappend --quiet`],
    [`--nounixsocket --wiredTigerCacheSizeGB ${CACHE_GB} --oplogSize 512`],
    ["--setParameter diagnosticDataCollectionEnabled=false"],
  ].join(" ");
  const script = replaced(command, [
    ["install -o mongodb -g mongodb -m 400", "install -m 400"],
    ["/run/secrets/", `${place.secrets}/`],
    ["/tmp/mongo-key", join(folder, "key")],
    // compose reads two dollar signs as one.
    ["/mongod-watch.sh 27017 $$$$", forFaults ? "-c true" : `${DEPLOY}/mongod-watch.sh ${port} $$`],
    ["exec gosu mongodb mongod", local],
    ["--bind_ip_all", "--bind_ip 127.0.0.1"],
  ]);
  const address = `127.0.0.1:${port}`;
  const args = ["-c", forFaults?.isDefault ? script.replaceAll(/--setParameter oplog\S+/g, "") : script];
  return { name, service: name, command: "sh", args, env: {}, address, readyAt: address };
}

function redis({ command = [] }: Service, { programs, place }: Planned): Made {
  const address = `127.0.0.1:${place.ports.redis}`;
  const args = [
    ...command.slice(1),
    "--port",
    String(place.ports.redis),
    "--bind",
    "127.0.0.1",
    "--dir",
    place.folder("redis"),
  ];
  return { command: programs.redis ?? "", args, address, readyAt: address };
}

/** Another small S3 store in place of SeaweedFS: one folder for each bucket, and the key has all rights. */
function files(_service: Service, { programs: { versitygw = "" }, place }: Planned): Made {
  const address = `127.0.0.1:${place.ports.s3}`;
  const keys = [
    `ROOT_ACCESS_KEY="$(cat ${place.secrets}/s3-key)"`,
    `ROOT_SECRET_KEY="$(cat ${place.secrets}/s3-secret)"`,
  ];
  const script = `${keys.join(" ")} exec ${versitygw} --port ${address} --quiet posix ${place.folder("files")}`;
  place.folder("files/atelier");
  return { command: "sh", args: ["-c", script], address, readyAt: address };
}

/** Without Caddy a small balancer follows the Caddyfile. */
function caddy(_service: Service, { deployment, programs, place, settings }: Planned): Made {
  const { http, ops, https } = place.ports;
  const upstreams = (name: string) => hostsOf(name, deployment, place).map((host) => `${host}:${http}`);
  const common = {
    ATELIER_GATEWAYS: upstreams("gateway").join(" "),
    ATELIER_TOOLS: upstreams("mcp").join(" "),
    ATELIER_OPS_PORT: String(ops),
  };
  const address = `127.0.0.1:${https}`;
  if (!programs.caddy) {
    const tls = { CERT: join(place.secrets, "core.pem"), KEY: join(place.secrets, "core-key.pem") };
    return {
      command: process.execPath,
      args: [BALANCER, String(https)],
      env: { ...common, ...tls },
      address,
      readyAt: address,
    };
  }
  const folder = place.folder("caddy");
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return {
    command: programs.caddy,
    args: ["run", "--adapter", "caddyfile", "--config", place.write("Caddyfile", caddyfile(place))],
    env: { ...settings, ...common, ...home },
    address,
    readyAt: address,
  };
}

/** Settings for a machine without containers, before the unchanged Caddyfile. */
function caddyfile({ ports }: Place): string {
  return `{\n\tadmin off\n\thttp_port ${ports.redirect}\n\tskip_install_trust\n}\nimport ${DEPLOY}/Caddyfile\n`;
}

/** The single word of a shell command, with local replacements. Throws when compose.yaml lacks a replaced part. */
function replaced(
  command: readonly string[],
  pairs: readonly (readonly [from: string, to: string])[],
): string {
  let script = command.join(" ");
  for (const [from, to] of pairs) {
    if (!script.includes(from))
      throw new Error(`compose.yaml no longer says "${from}", which is another thing here`);
    script = script.replaceAll(from, () => to);
  }
  return script;
}
