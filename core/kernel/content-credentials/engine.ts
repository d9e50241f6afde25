// Signs files with Content Credentials (C2PA), and reads those of any file, off the event loop.
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { Logger } from "../../../runtime/log/log.ts";
import { SIGNABLE_TYPES } from "./formats.ts";
import { type ManifestReport, toReport } from "./report.ts";
import type { SignTask } from "./thread.ts";
import { createThreads, CredentialsRefused, type ThreadsOptions } from "./threads.ts";

const MIB = 2 ** 20;
/** The library holds the largest video in memory up to three times while it grows. */
const MAX_MEMORY_BYTES = 1024 * MIB;
const RESTART_ABOVE_BYTES = 192 * MIB;
const MAX_SIGNING_THREADS = 4;
const MAX_SIGN_MS = 120_000;
const MAX_READ_MS = 20_000;
const MAX_WAITING_TO_SIGN = 4_096;
const MAX_WAITING_TO_READ = 16;
const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const PAGE_BYTES = 64 * 1024;
const HAS_MAXIMUM = 1;

export type CredentialsEngine = {
  /** Returns the signed file. Throws CredentialsRefused or CredentialsUnavailable. */
  sign(order: Omit<SignTask, "kind">): Promise<Uint8Array>;
  /** Returns undefined if the file has no manifest, or its kind can have none. Throws CredentialsUnavailable. */
  read(order: { bytes: Uint8Array; mimeType: string; anchors: string }): Promise<ManifestReport | undefined>;
  /** The number of files that wait or are being signed. */
  pending(): number;
  close(): Promise<void>;
};

export type EngineOptions = Partial<
  Pick<ThreadsOptions, "threads" | "maxQueued" | "maxMs" | "entry" | "restartAboveBytes">
> & { readonly log: Logger };

/** A separate thread reads files from third parties, so that none of them delays or breaks a signature. */
export function createCredentialsEngine(options: EngineOptions): CredentialsEngine {
  const shared = { restartAboveBytes: RESTART_ABOVE_BYTES, loadModule };
  const signing = createThreads({
    ...shared,
    name: "atelier-sign-credentials",
    threads: Math.min(availableParallelism(), MAX_SIGNING_THREADS),
    maxQueued: MAX_WAITING_TO_SIGN,
    maxMs: MAX_SIGN_MS,
    ...options,
  });
  const reading = createThreads({
    ...shared,
    name: "atelier-read-credentials",
    threads: 1,
    maxQueued: MAX_WAITING_TO_READ,
    maxMs: MAX_READ_MS,
    log: options.log,
    ...(options.entry && { entry: options.entry }),
  });
  return {
    sign: async (order) => {
      const signed = await signing.run({ kind: "sign", ...order });
      if (typeof signed === "string") throw new Error("the signing thread answered with no file");
      return signed;
    },
    read: async ({ bytes, mimeType, anchors }) => {
      if (!SIGNABLE_TYPES.has(mimeType)) return undefined;
      try {
        return toReport(String(await reading.run({ kind: "read", bytes, mimeType, anchors })));
      } catch (error) {
        if (!(error instanceof CredentialsRefused)) throw error;
        return hasNone(error) ? undefined : { state: "invalid", problem: error.message, store: undefined };
      }
    },
    pending: () => signing.pending(),
    close: async () => {
      await Promise.all([signing.close(), reading.close()]);
    },
  };
}

function hasNone({ message }: CredentialsRefused): boolean {
  return /JumbfNotFound|UnsupportedType/.test(message);
}

let loading: Promise<WebAssembly.Module> | undefined;

/** Compiles the library once, for all threads of the process and their replacements. */
function loadModule(): Promise<WebAssembly.Module> {
  loading ??= compileLibrary().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function compileLibrary(): Promise<WebAssembly.Module> {
  const bytes = await readFile(new URL(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm")));
  return WebAssembly.compile(withMaxMemory(bytes, MAX_MEMORY_BYTES));
}

/** Returns the same module with a maximum for its one memory. Throws if the bytes are not such a module. */
export function withMaxMemory(module: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  let at = HEADER_BYTES;
  while (at < module.length) {
    const start = at;
    const id = module[at];
    const size = readNumber(module, at + 1);
    const end = size.next + size.value;
    if (id === MEMORY_SECTION) {
      const count = readNumber(module, size.next);
      const minimum = readNumber(module, count.next + 1);
      if (count.value !== 1) throw new Error("the WebAssembly module has more than one memory");
      const body = [1, HAS_MAXIMUM, ...number(minimum.value), ...number(maxBytes / PAGE_BYTES)];
      const section = [MEMORY_SECTION, ...number(body.length), ...body];
      return new Uint8Array(
        Buffer.concat([module.subarray(0, start), Buffer.from(section), module.subarray(end)]),
      );
    }
    at = end;
  }
  throw new Error("the WebAssembly module declares no memory");
}

/** Encodes an unsigned number in LEB128. */
function readNumber(from: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  for (let at = start, shift = 0; ; at++, shift += 7) {
    const byte = from[at] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at + 1 };
  }
}

function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(Math.floor(value / 0x80))];
}
