// The entry of a thread that runs the C2PA library: signs files and reads what their manifests say, one at a time.
import { inspect } from "node:util";
import { parentPort, workerData } from "node:worker_threads";
import { initSync, WasmBuilder, WasmReader } from "@contentauth/c2pa-wasm";
import { coseSign1, reservedSize, type Signer } from "./cose.ts";

/** A Blob that keeps the bytes it was made from. */
class MemoryBlob extends Blob {
  readonly data: Uint8Array;

  constructor(data: Uint8Array) {
    super([]);
    this.data = data;
    Object.defineProperty(this, "size", { value: data.length });
  }

  override slice(start?: number, end?: number): MemoryBlob {
    return new MemoryBlob(this.data.subarray(start, end));
  }
}

/** The part of a browser's FileReaderSync that the library uses. */
class SyncReader {
  readAsArrayBuffer({ data }: MemoryBlob): ArrayBuffer {
    const copy = new Uint8Array(data.length);
    copy.set(data);
    return copy.buffer;
  }
}

export type Ingredient = {
  readonly title: string;
  /** The library allows one parent at most. */
  readonly relationship: "parentOf" | "inputTo";
  readonly mimeType: string;
  readonly bytes: Uint8Array;
};

export type SignTask = {
  readonly kind: "sign";
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  /** A manifest definition of the library. */
  readonly definition: unknown;
  readonly ingredients: readonly Ingredient[];
  readonly signer: Signer;
};

export type ReadTask = {
  readonly kind: "read";
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  /** Certificates of trusted authorities (PEM). */
  readonly anchors: string;
};

export type SigningTask = SignTask | ReadTask;

/** `last`: the thread takes no task after this one. */
export type Reply = Result & { readonly last: boolean };

type Result =
  | { readonly kind: "done"; readonly result: Uint8Array | string }
  /** The library refuses the file or the certificate; its message is for the log. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The library itself failed on the file, and its memory cannot be trusted any more. */
  | { readonly kind: "broken"; readonly reason: string };

export type ThreadData = { readonly module: WebAssembly.Module; readonly restartAboveBytes: number };

/** It neither fetches anything nor makes unrequested thumbnails. */
const SETTINGS = {
  verify: { verify_after_sign: false, ocsp_fetch: false, remote_manifest_fetch: false },
  builder: { thumbnail: { enabled: false } },
};

// The library reads files as browsers provide them. FileReaderSync is missing in Node.
Object.assign(globalThis, { FileReaderSync: SyncReader });

if (parentPort) {
  const { module, restartAboveBytes } = workerData as ThreadData;
  const { memory } = initSync({ module });
  const port = parentPort;
  port.on("message", (task: SigningTask) => {
    void work(task).then((result) => {
      const last = result.kind === "broken" || memory.buffer.byteLength > restartAboveBytes;
      const moved = result.kind === "done" && typeof result.result !== "string" ? [result.result.buffer] : [];
      port.postMessage({ ...result, last } satisfies Reply, moved as ArrayBuffer[]);
    });
  });
}

async function work(task: SigningTask): Promise<Result> {
  try {
    return { kind: "done", result: await (task.kind === "sign" ? signFile(task) : readFile(task)) };
  } catch (error) {
    const isBroken = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    return { kind: isBroken ? "broken" : "refused", reason: wordsOf(error) };
  }
}

async function signFile({ bytes, mimeType, definition, ingredients, signer }: SignTask): Promise<Uint8Array> {
  const builder = WasmBuilder.fromJson(JSON.stringify(definition), JSON.stringify(SETTINGS));
  try {
    for (const { bytes: data, mimeType: type, ...facts } of ingredients)
      await builder.addIngredientFromBlob(JSON.stringify(described(facts)), type, new MemoryBlob(data));
    const definitionOfSigner = {
      alg: "es256",
      reserveSize: reservedSize(signer),
      sign: async (claim: Uint8Array) => new Uint8Array(coseSign1(signer, claim)),
    };
    return await builder.sign(definitionOfSigner, [], mimeType, new MemoryBlob(bytes));
  } finally {
    builder.free();
  }
}

/** `label` is the name by which the definition's actions refer to it. */
function described({ title, relationship }: Pick<Ingredient, "title" | "relationship">): object {
  return { title, relationship, label: title };
}

async function readFile({ bytes, mimeType, anchors }: ReadTask): Promise<string> {
  // The library takes an empty list for broken settings.
  const settings = anchors === "" ? SETTINGS : { ...SETTINGS, trust: { user_anchors: anchors } };
  const reader = await WasmReader.fromBlob(mimeType, new MemoryBlob(bytes), JSON.stringify(settings));
  try {
    return reader.json();
  } finally {
    reader.free();
  }
}

function wordsOf(error: unknown): string {
  if (typeof error === "string") return error;
  return error instanceof Error ? error.message : inspect(error);
}
