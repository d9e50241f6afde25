// Opens a cluster for a command: with this machine's programs, and in a folder of its own unless it is given one.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { CACHE_DIR } from "../../runtime/mongod/binary-cache.ts";
import { keepNewFilesPrivate } from "../../runtime/process/private-folder.ts";
import { type Cluster, type ClusterOptions, startCluster } from "./cluster.ts";
import type { AtEnd } from "./command.ts";
import { findPrograms } from "./programs.ts";

type OpenOptions = Partial<Omit<ClusterOptions, "programs">> & {
  /** Programs to ignore. */
  without?: readonly string[];
};

/** It ends with the command. This process trusts its certificate from now on. */
export async function openCluster(
  atEnd: AtEnd,
  { without = [], ...options }: OpenOptions = {},
): Promise<Cluster> {
  keepNewFilesPrivate();
  const say = (line: string) => console.error(line);
  const programs = await findPrograms(say, without);
  const folder = options.folder ?? newFolder(atEnd);
  const cluster = await startCluster({ port: 0, say, ...options, programs, folder });
  atEnd(cluster.end);
  if (cluster.ca !== "") setDefaultCACertificates([...getCACertificates(), readFileSync(cluster.ca, "utf8")]);
  return cluster;
}

/** On a disk, where fsync is real: the system's temporary folder may be in memory. */
function newFolder(atEnd: AtEnd): string {
  mkdirSync(CACHE_DIR, { recursive: true });
  const folder = mkdtempSync(join(CACHE_DIR, "cluster-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
