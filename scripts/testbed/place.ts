// The place of a cluster on this machine: its folder, its ports, an address for each process, and the local values of compose.yaml's names.
import { randomInt } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../runtime/process/free-port.ts";

export type Ports = {
  readonly https: number;
  /** For requests that Caddy redirects to https. */
  readonly redirect: number;
  readonly http: number;
  readonly grpc: number;
  readonly ops: number;
  readonly redis: number;
  readonly s3: number;
  readonly mongo: readonly number[];
};

export type Place = {
  readonly ports: Ports;
  readonly secrets: string;
  /** The addresses of a service's processes: each has its own in 127.0.0.0/8, so that they share a port as containers do. */
  hosts(service: string, count: number): string[];
  /** A value of compose.yaml on this machine, for the process with this address, with cores at those addresses and ports. */
  here(value: string, host: string, cores: readonly string[]): string;
  /** A subfolder, created when missing. */
  folder(name: string): string;
  /** Returns the path. */
  write(name: string, text: string): string;
};

type Numbers = { network: string; ports: Ports };

/** The last part of the addresses of a service's processes starts here. */
const FIRST_HOST: Readonly<Record<string, number>> = {
  migrate: 1,
  core: 10,
  worker: 30,
  gateway: 50,
  mcp: 70,
};

/** A folder of an earlier cluster gives it the same addresses, by which the replica set knows its members. */
export async function choosePlace(root: string, httpsPort: number): Promise<Place> {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const kept = join(root, "place.json");
  const numbers = existsSync(kept)
    ? (JSON.parse(readFileSync(kept, "utf8")) as Numbers)
    : await choose(httpsPort);
  writeFileSync(kept, JSON.stringify(numbers));
  return placeOf(root, numbers);
}

async function choose(httpsPort: number): Promise<Numbers> {
  const taken = new Set<number>();
  const one = async (): Promise<number> => {
    // Free on every address of this machine.
    const port = await freePort("0.0.0.0");
    if (taken.has(port)) return one();
    taken.add(port);
    return port;
  };
  const ports = {
    https: httpsPort || (await one()),
    redirect: await one(),
    http: await one(),
    grpc: await one(),
    ops: await one(),
    redis: await one(),
    s3: await one(),
    mongo: [await one(), await one(), await one()],
  };
  return { network: `127.${randomInt(1, 255)}.${randomInt(0, 255)}`, ports };
}

export function placeOf(root: string, { network, ports }: Numbers): Place {
  const secrets = join(root, "secrets");
  const hosts = (service: string, count: number) => {
    const first = FIRST_HOST[service];
    if (first === undefined) throw new Error(`the cluster has no addresses for ${service}`);
    return Array.from({ length: count }, (_, n) => `${network}.${first + n}`);
  };
  const folder = (name: string) => {
    const path = join(root, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  };
  return {
    ports,
    secrets,
    hosts,
    folder,
    write: (name, text) => {
      const path = join(root, name);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    },
    here: (value, host, cores) =>
      value
        .replace("0.0.0.0", host)
        .replace("/run/secrets", secrets)
        .replace("redis://redis:6379", `redis://127.0.0.1:${ports.redis}`)
        .replace("http://files:8333", `http://127.0.0.1:${ports.s3}`)
        .replace("dns:///core:50051", `ipv4:${cores.join(",")}`),
  };
}
