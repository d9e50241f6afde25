// What travels on a stream of calls, in both directions: frames, and metadata and statuses in the form that frames carry.
// proto/atelier/calls/v1/calls.proto explains each field.
import { join } from "node:path";
import { Metadata, type MethodDefinition, status, type StatusObject } from "@grpc/grpc-js";
import protobuf from "protobufjs";
import { PROTO_DIR } from "../load.ts";

export type MetadataEntry = { name: string; text?: string; binary?: Uint8Array };
export type CallFrame = {
  id: number;
  method?: string;
  timeoutMs?: number;
  metadata?: MetadataEntry[];
  payload?: Uint8Array;
  more?: boolean;
  cancel?: boolean;
};
export type AnswerFrame = { id: number; payload?: Uint8Array; more?: boolean; status?: CallStatus };
type CallStatus = { code: number; message: string; metadata: MetadataEntry[] };
export type CallBatch = { frames: CallFrame[] };
export type AnswerBatch = { frames: AnswerFrame[]; draining?: boolean };

/** Core's end of a stream of calls: what the client may do. */
export type CoreEnd = {
  /** Throws Violation if the frame cannot follow those before it. */
  receive(frame: CallFrame): void;
  /** Resolves when no call is being answered any more. */
  idle(): Promise<void>;
  /** The client has gone: no one waits for any of the answers. */
  cancelAll(): void;
};
/** The client's end of a stream of calls: what core may do. */
export type ClientEnd = { answer(frame: AnswerFrame): void; drain(): void };
export type OpenCalls = (client: ClientEnd) => CoreEnd;

/** The client broke the protocol, which no client of ours does. Ends the stream. */
export class Violation extends Error {
  override readonly name = "Violation";
  readonly code: status;

  constructor(code: status, message: string) {
    super(message);
    this.code = code;
  }
}

const root = protobuf.loadSync(join(PROTO_DIR, "atelier/calls/v1/calls.proto"));

/** Faster than the proto loader's functions, which copy each message into another object: nothing here needs the defaults. */
function codecOf<T extends object>(name: string): { write(message: T): Buffer; read(bytes: Buffer): T } {
  const type = root.lookupType(`atelier.calls.v1.${name}`);
  return {
    write: (message) => type.encode(message).finish() as Buffer,
    read: (bytes) => type.decode(bytes) as unknown as T,
  };
}

const calls = codecOf<CallBatch>("CallBatch");
const answers = codecOf<AnswerBatch>("AnswerBatch");

export const OPEN_CALLS: MethodDefinition<CallBatch, AnswerBatch> = {
  path: "/atelier.calls.v1.Calls/Open",
  requestStream: true,
  responseStream: true,
  requestSerialize: calls.write,
  requestDeserialize: calls.read,
  responseSerialize: answers.write,
  responseDeserialize: answers.read,
};

const NOTHING = Buffer.alloc(0);

/** The payload of the frame. A field that was not sent is not a buffer. */
export function payloadOf({ payload }: { payload?: Uint8Array }): Buffer {
  return Buffer.isBuffer(payload) ? payload : NOTHING;
}

export function toEntries(metadata: Metadata): MetadataEntry[] {
  const entries: MetadataEntry[] = [];
  // The fields of all calls have one value each; getMap() would hide a second one.
  for (const name of Object.keys(metadata.getMap()))
    for (const value of metadata.get(name))
      entries.push(typeof value === "string" ? { name, text: value } : { name, binary: value });
  return entries;
}

/** Throws if gRPC does not allow such a name or value. */
export function fromEntries(entries: readonly MetadataEntry[] = []): Metadata {
  const metadata = new Metadata();
  for (const { name, text = "", binary } of entries)
    metadata.add(name, name.endsWith("-bin") ? payloadOf({ payload: binary ?? NOTHING }) : text);
  return metadata;
}

export function toCallStatus({ code, details, metadata }: Partial<StatusObject>): CallStatus {
  return {
    code: code ?? status.UNKNOWN,
    message: details ?? "",
    metadata: metadata ? toEntries(metadata) : [],
  };
}

export function fromCallStatus({ code, message, metadata }: CallStatus): StatusObject {
  return { code, details: message, metadata: fromEntries(metadata) };
}

/** The words that gRPC itself uses. */
export function tooLarge(bytes: number, most: number): StatusObject {
  return {
    code: status.RESOURCE_EXHAUSTED,
    details: `Received message larger than max (${bytes} vs ${most})`,
    metadata: new Metadata(),
  };
}
