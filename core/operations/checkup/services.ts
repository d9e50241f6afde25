// Checks what the service uses besides its database: mail, storage, Redis and providers. Test data are removed again.
import { createHash, randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import type { Config } from "../../../runtime/config/config.ts";
import { tryMailServer } from "../../../runtime/mail.ts";
import { openObjectStore } from "../../base/objects/object-store.ts";
import { warn, type Finding, inWords, unknown, pass, fail } from "./finding.ts";
import { reach } from "./reach.ts";

const CONNECT_MS = 3_000;
const OLDEST_REDIS = 6;

export async function checkMail(config: Config): Promise<Finding[]> {
  const about = "mail";
  if (config.smtpUrl === undefined)
    return [
      warn(
        about,
        "there is no mail server: no one can sign in by e-mail, and mails wait",
        "set ATELIER_SMTP_URL",
      ),
    ];
  await tryMailServer(config.smtpUrl);
  return [pass(about, "the server takes the connection and the password; nothing was sent")];
}

export async function checkStorage(config: Config, signal: AbortSignal): Promise<Finding[]> {
  const about = "storage";
  const store = openObjectStore(config, CONNECT_MS);
  if (!store) return [pass(about, "files are kept in the database")];
  const bytes = randomBytes(64);
  const key = `doctor/${randomBytes(9).toString("hex")}`;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  try {
    await store.put({ key, bytes, mimeType: "application/octet-stream", sha256 }, signal);
    const read: Uint8Array[] = [];
    for await (const chunk of store.read(key, 0, bytes.length)) read.push(chunk);
    const isPublic = await isReadByAnyone(
      `${config.s3Endpoint?.replace(/\/$/, "")}/${config.s3Bucket}/${key}`,
    );
    await store.remove(key);
    if (!Buffer.concat(read).equals(bytes))
      return [fail(about, "the object read is not the object that was put", "do not use this store")];
    return [
      isPublic
        ? fail(
            about,
            "anyone may read what is in the bucket",
            "make the bucket private: files are served by the gateway",
          )
        : pass(about, "an object was put, read and removed; no one else can read it"),
    ];
  } finally {
    await store.close();
  }
}

async function isReadByAnyone(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(CONNECT_MS) });
  await answer.body?.cancel();
  return answer.ok;
}

export async function checkRedis({ redisUrl, profile }: Config): Promise<Finding[]> {
  const about = "Redis";
  if (redisUrl === undefined)
    return [
      profile === "production"
        ? warn(
            about,
            "each process counts rates on its own",
            "set ATELIER_REDIS_URL where there are several gateways",
          )
        : pass(about, "not used"),
    ];
  const facts = await askRedis(redisUrl, true);
  const { hostname, protocol, password } = new URL(redisUrl);
  const found: Finding[] = [];
  if (Number.parseInt(facts.version, 10) < OLDEST_REDIS)
    found.push(fail(about, `version ${facts.version}`, `use Redis ${OLDEST_REDIS} or newer`));
  if (facts.policy === "noeviction" && facts.maxMemory > 0)
    found.push(
      warn(about, "it refuses to count when its memory is full", "set maxmemory-policy to volatile-ttl"),
    );
  if (password === "" || (await opens(redisUrl)))
    found.push(warn(about, "it requires no password", "set requirepass, unless only gateways can reach it"));
  if (password !== "" && protocol === "redis:" && !isLocal(hostname))
    found.push(
      warn(about, "the password travels in the clear", "use rediss://, unless the network is private"),
    );
  return found.length > 0 ? found : [pass(about, `version ${facts.version} answers, ${facts.policy}`)];
}

type RedisInfo = { version: string; policy: string; maxMemory: number };

async function askRedis(url: string, withPassword: boolean): Promise<RedisInfo> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    ...(!withPassword && { username: "", password: "" }),
  });
  let fault: Error | undefined;
  redis.on("error", (error: Error) => (fault = error));
  try {
    await redis.connect();
    const info = await redis.info();
    const get = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? "";
    return {
      version: get("redis_version"),
      policy: get("maxmemory_policy"),
      maxMemory: Number(get("maxmemory")),
    };
  } catch (error) {
    throw fault ?? error;
  } finally {
    redis.disconnect();
  }
}

/** Whether a client without the password is answered. */
async function opens(url: string): Promise<boolean> {
  const anonymous = new URL(url);
  anonymous.username = "";
  anonymous.password = "";
  return askRedis(anonymous.href, false).then(
    () => true,
    () => false,
  );
}

function isLocal(host: string): boolean {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}

/** Whether each can be reached. Only a call can tell whether its key is valid, and calls cost money. */
export async function checkProviders(config: Config): Promise<Finding[]> {
  const queues = Object.entries(config.httpQueueProviders).map(([name, { address }]) => ({ name, address }));
  const found = await Promise.all(
    queues.map(async ({ name, address }) => {
      const about = `provider ${name}`;
      try {
        await reach(new URL(address));
        return unknown(about, "can be reached; its key cannot be checked without a paid call: make one job");
      } catch (error) {
        return fail(about, `cannot be reached: ${inWords(error)}`, "let workers connect to it");
      }
    }),
  );
  const packages = Object.keys(config.aiSdkProviders).map((name) =>
    unknown(`provider ${name}`, "its key cannot be checked without a paid call: make one job"),
  );
  return [...found, ...packages];
}
