// Bytes of files in an S3-compatible bucket, addressed in path style. Every request is signed, and so is what it carries.
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { Agent, type Dispatcher, request } from "undici";
import type { Config } from "../../../runtime/config/config.ts";

const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;
/** An upload has on top the time it takes at this speed. */
const SLOWEST_BYTES_PER_MS = 1_000;
const IDLE_MS = 30_000;
/** The output of a provider gets a longer deadline than a read, which can be repeated. What is to be removed waits for the next sweep. */
const TRIES = { PUT: 5, GET: 2, DELETE: 1 } as const;
const RETRY_BASE_MS = 250;

export type ObjectStore = {
  /** Rejects with ObjectStoreError, or when `signal` is aborted. */
  put(object: StoredObject, signal: AbortSignal): Promise<void>;
  /** An address that takes so many bytes with one PUT, for so long, and the headers that go with it. */
  signPut(key: string, wanted: { bytes: number; seconds: number }): Promise<SignedPut>;
  /** A range that lies within the object. Throws ObjectStoreError, also for an object that is not there. */
  read(key: string, offset: number, length: number): AsyncIterable<Uint8Array>;
  /** Resolves too when there is no such object. */
  remove(key: string): Promise<void>;
  close(): Promise<void>;
};

export type SignedPut = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

export type StoredObject = {
  readonly key: string;
  readonly bytes: Uint8Array | StreamedBytes;
  readonly mimeType: string;
  /** Of the bytes, in hex. The store refuses bytes that it does not fit. */
  readonly sha256: string;
};

/** What is too large to be held in memory as a whole. */
export type StreamedBytes = {
  readonly length: number;
  /** All of them, again with each try. */
  stream(): AsyncIterable<Uint8Array>;
};

/** For the operator: it says what the store answered. */
export class ObjectStoreError extends Error {
  override readonly name = "ObjectStoreError";
  /** Undefined when there was no answer. */
  readonly status: number | undefined;

  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status;
  }
}

/** True if this says nothing about the object: the store is unavailable, or refuses the service. A lost object is a fault of its own. */
export function isObjectStoreAway(error: unknown): boolean {
  return error instanceof ObjectStoreError && error.status !== 404;
}

const SHA256_OF_NOTHING = createHash("sha256").digest("hex");

type Ask = {
  readonly method: keyof typeof TRIES;
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | StreamedBytes;
  readonly sha256?: string;
  readonly signal?: AbortSignal;
};

/** Undefined where none is configured: files are then kept in the database. */
export function openObjectStore(config: Config, answerMs = ANSWER_MS): ObjectStore | undefined {
  const { s3Endpoint: endpoint, s3Bucket: bucket, s3Region: region } = config;
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return undefined;
  const dispatcher = new Agent({ connect: { timeout: CONNECT_MS }, bodyTimeout: IDLE_MS });
  const base = `${endpoint.replace(/\/$/, "")}/${bucket}`;
  const identity = { service: "s3", region, accessKeyId, secretAccessKey };
  const ask = createAsk({ base, identity, dispatcher, answerMs });
  return {
    signPut: async (key, { bytes, seconds }) => {
      const signer = new AwsV4Signer({
        method: "PUT",
        url: `${base}/${key}?X-Amz-Expires=${seconds}`,
        // Signed too, so that the store takes no more and no less.
        headers: { "content-length": String(bytes) },
        allHeaders: true,
        signQuery: true,
        ...identity,
      });
      const { url } = await signer.sign();
      return { url: url.href, headers: { "content-length": String(bytes) } };
    },
    put: async ({ key, bytes, mimeType, sha256 }, signal) => {
      const answer = await ask({
        method: "PUT",
        key,
        headers: { "content-type": mimeType, "content-length": String(bytes.length) },
        body: bytes,
        sha256,
        signal,
      });
      await answer.body.dump();
    },
    read: async function* (key, offset, length) {
      if (length === 0) return;
      const headers = { range: `bytes=${offset}-${offset + length - 1}` };
      const { statusCode, body } = await ask({ method: "GET", key, headers });
      if (statusCode !== 206) {
        await body.dump();
        throw new ObjectStoreError(`GET ${key} was answered with more than the range`, {
          status: statusCode,
        });
      }
      let read = 0;
      try {
        for await (const chunk of body as AsyncIterable<Uint8Array>) {
          read += chunk.length;
          yield chunk;
        }
      } catch (error) {
        throw noAnswer(`GET ${key} stopped after ${read} bytes`, error);
      }
      if (read !== length) throw new ObjectStoreError(`GET ${key} gave ${read} bytes of ${length}`);
    },
    remove: async (key) => {
      try {
        await (await ask({ method: "DELETE", key })).body.dump();
      } catch (error) {
        if (!(error instanceof ObjectStoreError && error.status === 404)) throw error;
      }
    },
    // A request that still runs has no one who waits for it.
    close: () => dispatcher.destroy(),
  };
}

type Way = {
  /** Address of the bucket. */
  base: string;
  identity: { service: string; region: string; accessKeyId: string; secretAccessKey: string };
  dispatcher: Dispatcher;
  answerMs: number;
};

/** Signs, sends, and sends again what may pass. */
function createAsk({
  base,
  identity,
  dispatcher,
  answerMs,
}: Way): (wanted: Ask) => Promise<Dispatcher.ResponseData> {
  return async (wanted) => {
    for (let tries = 1; ; tries++) {
      try {
        return await askOnce(wanted);
      } catch (error) {
        wanted.signal?.throwIfAborted();
        const mayPass = error instanceof ObjectStoreError && isPassing(error.status);
        if (!mayPass || tries >= TRIES[wanted.method]) throw error;
        const waitMs = RETRY_BASE_MS * 2 ** (tries - 1) * (0.75 + Math.random() / 2);
        await sleep(waitMs, undefined, wanted.signal && { signal: wanted.signal });
      }
    }
  };

  async function askOnce({ method, key, headers, body, sha256, signal }: Ask) {
    const signer = new AwsV4Signer({
      method,
      url: `${base}/${key}`,
      headers: { ...headers, "x-amz-content-sha256": sha256 ?? SHA256_OF_NOTHING },
      ...identity,
    });
    const signed = await signer.sign();
    let answer: Dispatcher.ResponseData;
    try {
      answer = await request(signed.url, {
        method,
        headers: Object.fromEntries(signed.headers),
        dispatcher,
        headersTimeout: answerMs + Math.ceil((body?.length ?? 0) / SLOWEST_BYTES_PER_MS),
        ...(body && { body: bodyOf(body) }),
        ...(signal && { signal }),
      });
      if (answer.statusCode < 300) return answer;
      const code = /<Code>(\w+)<\/Code>/.exec(await answer.body.text())?.[1] ?? "no code";
      throw new ObjectStoreError(`${method} ${key} was answered with ${answer.statusCode} (${code})`, {
        status: answer.statusCode,
      });
    } catch (error) {
      if (error instanceof ObjectStoreError) throw error;
      throw noAnswer(`${method} ${key} got no answer`, error);
    }
  }
}

function noAnswer(what: string, cause: unknown): ObjectStoreError {
  return new ObjectStoreError(`${what}: ${(cause as Error).message}`, { cause });
}

function bodyOf(body: Uint8Array | StreamedBytes): Uint8Array | Readable {
  return body instanceof Uint8Array ? body : Readable.from(body.stream(), { objectMode: false });
}

/** No answer, too many requests, or a fault of the store's own. */
function isPassing(status: number | undefined): boolean {
  return status === undefined || status === 429 || status >= 500;
}
