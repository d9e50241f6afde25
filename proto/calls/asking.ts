// The client's half of a stream of calls: which calls are in progress, and which answers have come. It does not know how frames travel.
import { Metadata, type MethodDefinition, type ServiceError, status, type StatusObject } from "@grpc/grpc-js";
import { createInFlight } from "../../runtime/in-flight.ts";
import {
  type AnswerFrame,
  type CallFrame,
  fromCallStatus,
  payloadOf,
  tooLarge,
  toEntries,
} from "./frames.ts";

/** The largest reply, over a stream or not. */
export const MAX_REPLY_BYTES = 16 * 1024 * 1024;
const MAX_ID = 2 ** 32 - 1;

export type AskedCall = {
  readonly method: MethodDefinition<object, object>;
  readonly request: object;
  readonly metadata: Metadata;
  /** The deadline as a value of Date.now(). */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
};

export type Asking = {
  /** Rejects with a ServiceError, as a separate call does. */
  ask(call: AskedCall): Promise<object>;
  receive(frame: AnswerFrame): void;
  /** Fails the remaining calls: no answer will come any more. */
  failAll(why: StatusObject): void;
  /** The number of calls in progress. */
  size(): number;
};

type Pending = {
  readonly parts: Buffer[];
  bytes: number;
  readonly read: (bytes: Buffer) => object;
  /** Ends the wait, with either outcome. */
  readonly settle: (answer: object | undefined, failure?: StatusObject) => void;
};

/** `onIdle` is called whenever no call is in progress any more. The first call gets the number after `lastId`. */
export function createAsking(send: (frame: CallFrame) => void, onIdle: () => void, lastId = 0): Asking {
  const pending = createInFlight<Pending>();

  /** Frames carry 32 bits of it, so numbers begin again, long after their first calls have ended. */
  function nextId(): number {
    lastId = (lastId % MAX_ID) + 1;
    return lastId;
  }

  function finish(frame: AnswerFrame, { parts, read, settle }: Pending): void {
    if (frame.status) return settle(undefined, fromCallStatus(frame.status));
    parts.push(payloadOf(frame));
    let answer: object;
    try {
      answer = read(parts.length === 1 ? payloadOf(frame) : Buffer.concat(parts));
    } catch (error) {
      return settle(undefined, failed(status.INTERNAL, `Response message parsing error: ${String(error)}`));
    }
    settle(answer);
  }

  return {
    ask: ({ method, request, metadata, deadline, signal }) =>
      new Promise((resolve, reject) => {
        const payload = method.requestSerialize(request);
        const id = nextId();
        const giveUp = (code: status, details: string) => {
          send({ id, cancel: true });
          settle(undefined, failed(code, details));
        };
        const timeoutMs = Math.max(0, deadline - Date.now());
        const timer = setTimeout(giveUp, timeoutMs, status.DEADLINE_EXCEEDED, "Deadline exceeded");
        const cancel = () => giveUp(status.CANCELLED, "Cancelled on client");
        signal?.addEventListener("abort", cancel, { once: true });
        const settle: Pending["settle"] = (answer, failure) => {
          if (!pending.remove(id)) return;
          clearTimeout(timer);
          signal?.removeEventListener("abort", cancel);
          if (answer) resolve(answer);
          else if (failure) reject(toServiceError(failure));
          if (pending.size() === 0) onIdle();
        };
        pending.add(id, { parts: [], bytes: 0, read: method.responseDeserialize, settle });
        send({ id, method: method.path, timeoutMs, metadata: toEntries(metadata), payload });
      }),
    receive: (frame) => {
      // A caller that has given up is no longer here.
      const call = pending.get(frame.id);
      if (!call) return;
      call.bytes += payloadOf(frame).length;
      if (call.bytes > MAX_REPLY_BYTES) {
        send({ id: frame.id, cancel: true });
        call.settle(undefined, tooLarge(call.bytes, MAX_REPLY_BYTES));
      } else if (frame.more) call.parts.push(payloadOf(frame));
      else finish(frame, call);
    },
    failAll: (why) => {
      for (const [, { settle }] of pending.all()) settle(undefined, why);
    },
    size: pending.size,
  };
}

function failed(code: status, details: string): StatusObject {
  return { code, details, metadata: new Metadata() };
}

function toServiceError(why: StatusObject): ServiceError {
  return Object.assign(new Error(`${why.code} ${status[why.code]}: ${why.details}`), why);
}
