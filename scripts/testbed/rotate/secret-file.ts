// A secret of a cluster as its operator has it, and what a rotation relies on.
import { join } from "node:path";
import type { Cluster } from "../cluster.ts";

/** The path of one that deploy/secrets.sh makes. */
export function secretOf({ folder }: Cluster, name: string): string {
  return join(folder, "secrets", name);
}

export function expectSame(got: unknown, wanted: unknown, what: string): void {
  if (got !== wanted) throw new Error(`${what}: ${String(got)} instead of ${String(wanted)}`);
}
