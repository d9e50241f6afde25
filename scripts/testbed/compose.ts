// The topology in deploy/: the services of compose.yaml, the image's own settings, the replica set and its user.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { parse } from "yaml";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const DEPLOY = join(ROOT, "deploy");
export const OWN_IMAGE = "atelier:local";

export type Service = {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly restart?: string;
  /** The profile of a service that runs on demand. */
  readonly profiles?: readonly string[];
  readonly deploy?: { readonly replicas?: number };
};

export type Deployment = {
  readonly services: Readonly<Record<string, Service>>;
  /** The image's settings for every command. */
  readonly imageEnv: Readonly<Record<string, string>>;
};

/** `root` is the checkout of the release whose services run; other programs are always of this one. */
export function readDeployment(root = ROOT): Deployment {
  const isOwn = ([, { image }]: [string, Service]): boolean => image === OWN_IMAGE;
  const [own, beside] = [servicesIn(root).filter(isOwn), servicesIn(ROOT).filter((one) => !isOwn(one))];
  return {
    services: Object.fromEntries([...own, ...beside]),
    imageEnv: imageEnv(read("Containerfile", root)),
  };
}

function servicesIn(root: string): [string, Service][] {
  const { services } = parse(read("compose.yaml", root), { merge: true }) as Pick<Deployment, "services">;
  return Object.entries(services);
}

function read(path: string, root = ROOT): string {
  return readFileSync(join(root, "deploy", path), "utf8");
}

function imageEnv(containerfile: string): Record<string, string> {
  const joined = containerfile.replaceAll("\\\n", " ");
  const pairs = [...joined.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = ""]) => line.trim().split(/\s+/));
  return Object.fromEntries(
    pairs.map((pair) => [pair.split("=")[0] ?? "", pair.slice(pair.indexOf("=") + 1)]),
  );
}

export type ReplicaSetPlan = {
  /** For replSetInitiate. */
  readonly config: { _id: string; members: { _id: number; host: string }[]; settings?: object };
  /** Of the database `admin`. */
  readonly user: { user: string; pwd: string; roles: unknown[] };
};

/** Reads mongo-set.js by running it with a recording stand-in for mongosh. */
export function readReplicaSet(passwordFile: string): ReplicaSetPlan {
  const noted: Partial<{ -readonly [K in keyof ReplicaSetPlan]: ReplicaSetPlan[K] }> = {};
  const db = {
    hello: () => ({ isWritablePrimary: true }),
    getSiblingDB: () => ({
      createUser: (user: ReplicaSetPlan["user"]) => void (noted.user = user),
      auth: () => 1,
      updateUser: (_name: string, { roles }: Pick<ReplicaSetPlan["user"], "roles">) => {
        if (noted.user) noted.user = { ...noted.user, roles };
      },
    }),
  };
  const rs = { initiate: (config: ReplicaSetPlan["config"]) => void (noted.config = config) };
  const fs = { readFileSync };
  runInNewContext(read("mongo-set.js"), {
    rs,
    db,
    require: () => fs,
    process: { env: { PASSWORD_FILE: passwordFile } },
    print: () => {},
    sleep: () => {},
    quit: () => {},
  });
  const { config, user } = noted;
  if (!config || !user) throw new Error("deploy/mongo-set.js makes no replica set, or no user");
  // Plain objects of this realm, as the driver requires.
  return structuredClone({ config, user });
}
