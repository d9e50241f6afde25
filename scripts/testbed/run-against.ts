// Runs a command of this machine as a client of a cluster.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Cluster } from "./cluster.ts";

const DEMO = fileURLToPath(new URL("../demo.ts", import.meta.url));

/** A shell command, with the cluster's URL, folder and certificate in its environment. Returns its exit code. */
export async function runAgainst({ url, folder, ca }: Cluster, command: string): Promise<number> {
  const child = spawn(command, {
    shell: true,
    stdio: "inherit",
    env: {
      // oxlint-disable-next-line node/no-process-env -- passed on unchanged
      ...process.env,
      ATELIER_DATA_DIR: folder,
      NODE_EXTRA_CA_CERTS: ca,
      CLUSTER_URL: url,
      CLUSTER_FOLDER: folder,
    },
  });
  const [ended] = (await once(child, "exit")) as [number | null];
  return ended ?? 1;
}

export function runDemo(cluster: Cluster): Promise<number> {
  return runAgainst(cluster, `"${process.execPath}" "${DEMO}" "${cluster.folder}/demo"`);
}
