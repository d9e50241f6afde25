// Core's half of the streams of calls: each framed call has the same handler as a separate call, with its own metadata, deadline and
// cancellation.
import { Metadata, type ServerDuplexStream, status, type StatusObject } from "@grpc/grpc-js";
import {
  type AnswerBatch,
  type AnswerFrame,
  type CallBatch,
  type CallFrame,
  type ClientEnd,
  type CoreEnd,
  fromEntries,
  type OpenCalls,
  payloadOf,
  toCallStatus,
  tooLarge,
  Violation,
} from "../../proto/calls/frames.ts";
import { createSender } from "../../proto/calls/sender.ts";
import { AppError } from "../../proto/codes.ts";
import { toGrpcStatus } from "../../proto/errors.ts";
import { createInFlight } from "../../runtime/in-flight.ts";

/** The largest request, over a stream or not. */
export const MAX_REQUEST_BYTES = 1024 * 1024;
/** The most calls on one stream, including those that the client has cancelled. */
const MAX_RUNNING = 2_000;
/** The most bytes of requests on one stream that have not arrived completely. */
const MAX_BEGUN_BYTES = 8 * 1024 * 1024;
const FULL_RETRY_SECONDS = 1;

/**
 * Created once: a reason for each call, with its own stack, costs more than the abort, and grpc-js reports every call as cancelled once it
 * is over.
 */
export const GONE = new DOMException("The caller has gone.", "AbortError");

export type UnaryCall = {
  readonly request: object;
  readonly metadata: Metadata;
  /** Aborted when the caller disconnects; `answer` aborts it when the time is over. */
  readonly stop: AbortController;
  readonly leftMs: number;
};

/** A unary method, however it is called. */
export type UnaryMethod = {
  readonly read: (bytes: Buffer) => object;
  readonly write: (reply: object) => Buffer;
  /** Rejects with the status for the caller. */
  readonly answer: (call: UnaryCall) => Promise<object>;
};

export type Calls = {
  /** For a client in this process. */
  readonly open: OpenCalls;
  /** For a client that has been accepted. */
  serve(stream: ServerDuplexStream<CallBatch, AnswerBatch>): void;
  /** Asks all clients to use another core; resolves when those in this process have their answers. */
  drain(): Promise<void>;
};

/** `methods` by their paths. */
export function createCalls(methods: ReadonlyMap<string, UnaryMethod>): Calls {
  const clients = new Set<ClientEnd>();
  const inner: CoreEnd[] = [];
  let isDraining = false;

  function add(client: ClientEnd): CoreEnd {
    clients.add(client);
    if (isDraining) client.drain();
    return createCoreEnd(methods, client.answer);
  }

  return {
    open: (client) => {
      const end = add(client);
      inner.push(end);
      return end;
    },
    serve: (stream) => {
      const sender = createSender<AnswerFrame>(stream, () => stream.resume());
      const client = {
        answer: sender.send,
        drain: () => void stream.write({ frames: [], draining: true }),
      };
      // The client learns immediately, before anything is answered, that it may call.
      stream.sendMetadata(new Metadata());
      const end = add(client);
      const leave = () => {
        clients.delete(client);
        end.cancelAll();
      };
      stream.on("cancelled", leave);
      stream.on("end", () => {
        clients.delete(client);
        void end.idle().then(sender.end);
      });
      stream.on("data", ({ frames }: CallBatch) => {
        try {
          for (const frame of frames) end.receive(frame);
        } catch (error) {
          leave();
          const { code, message } = error as Violation;
          stream.emit("error", { code, details: message });
        }
        // A client that does not read its answers gets no further calls accepted.
        if (sender.isFull()) stream.pause();
      });
    },
    drain: async () => {
      isDraining = true;
      for (const { drain } of clients) drain();
      await Promise.all(inner.map((end) => end.idle()));
    },
  };
}

type Running = { readonly stop: AbortController; isGivenUp: boolean };

function createCoreEnd(
  methods: ReadonlyMap<string, UnaryMethod>,
  send: (frame: AnswerFrame) => void,
): CoreEnd {
  const running = createInFlight<Running>();
  /** Calls that run although their client has given up. */
  let abandoned = 0;
  const whenIdle: (() => void)[] = [];
  const refuse = (id: number, why: Partial<StatusObject>) => send({ id, status: toCallStatus(why) });
  const requests = createRequests(begin, refuse);

  function begin({ method = "", id, metadata, timeoutMs = 0 }: CallFrame, bytes: Buffer): void {
    const found = methods.get(method);
    if (!found)
      return refuse(id, { code: status.UNIMPLEMENTED, details: `There is no unary method ${method}.` });
    if (running.size() + abandoned >= MAX_RUNNING) return refuse(id, full());
    let call: UnaryCall;
    try {
      const stop = new AbortController();
      call = { request: found.read(bytes), metadata: fromEntries(metadata), stop, leftMs: timeoutMs };
    } catch (error) {
      return refuse(id, { code: status.INTERNAL, details: `Error deserializing request: ${String(error)}` });
    }
    void run(id, found, call);
  }

  async function run(id: number, method: UnaryMethod, call: UnaryCall): Promise<void> {
    const own = { stop: call.stop, isGivenUp: false };
    running.add(id, own);
    const frame = await method.answer(call).then(
      (reply) => answerOf(id, method, reply),
      (why: Partial<StatusObject>) => ({ id, status: toCallStatus(why) }),
    );
    if (own.isGivenUp) abandoned -= 1;
    else {
      running.remove(id);
      send(frame);
    }
    if (running.size() + abandoned === 0) for (const tell of whenIdle.splice(0)) tell();
  }

  function giveUp(id: number): void {
    requests.forget(id);
    const own = running.get(id);
    if (!own) return;
    running.remove(id);
    own.isGivenUp = true;
    abandoned += 1;
    own.stop.abort(GONE);
  }

  return {
    receive: (frame) => {
      if (frame.cancel) return giveUp(frame.id);
      if (frame.method && running.has(frame.id)) throw usedTwice(frame);
      requests.take(frame);
    },
    idle: () => {
      if (running.size() + abandoned === 0) return Promise.resolve();
      return new Promise((resolve) => void whenIdle.push(resolve));
    },
    cancelAll: () => {
      requests.forgetAll();
      for (const [id] of running.all()) giveUp(id);
    },
  };
}

/** A call whose request has not arrived completely. */
type Begun = { readonly first: CallFrame; readonly parts: Buffer[]; bytes: number };

/** Joins requests that arrive in parts, and passes on complete ones. */
function createRequests(
  whole: (first: CallFrame, request: Buffer) => void,
  refuse: (id: number, why: Partial<StatusObject>) => void,
) {
  const begun = createInFlight<Begun>();
  let bytes = 0;

  function forget(id: number): void {
    bytes -= begun.get(id)?.bytes ?? 0;
    begun.remove(id);
  }

  return {
    forget,
    forgetAll: () => {
      for (const [id] of begun.all()) forget(id);
    },
    take: (frame: CallFrame) => {
      const { id } = frame;
      const known = begun.get(id);
      if (known && frame.method) throw usedTwice(frame);
      // This is a further part of a call that was refused or given up.
      if (!known && !frame.method) return;
      const payload = payloadOf(frame);
      const call = known ?? { first: frame, parts: [], bytes: 0 };
      call.parts.push(payload);
      call.bytes += payload.length;
      bytes += payload.length;
      if (!known) begun.add(id, call);
      if (call.bytes > MAX_REQUEST_BYTES) {
        forget(id);
        refuse(id, tooLarge(call.bytes, MAX_REQUEST_BYTES));
      } else if (!frame.more) {
        forget(id);
        whole(call.first, call.parts.length === 1 ? payload : Buffer.concat(call.parts));
      } else if (bytes > MAX_BEGUN_BYTES || begun.size() > MAX_RUNNING)
        throw new Violation(
          status.RESOURCE_EXHAUSTED,
          "More requests have begun on this stream than core keeps.",
        );
    },
  };
}

function usedTwice({ id }: CallFrame): Violation {
  return new Violation(status.INVALID_ARGUMENT, `Call ${id} of this stream is under way already.`);
}

function answerOf(id: number, { write }: UnaryMethod, reply: object): AnswerFrame {
  try {
    return { id, payload: write(reply) };
  } catch (error) {
    const details = `Error serializing response: ${String(error)}`;
    return { id, status: toCallStatus({ code: status.INTERNAL, details }) };
  }
}

function full(): Partial<StatusObject> {
  return toGrpcStatus(
    new AppError("service_unavailable", {
      message: "Too many calls are under way on this stream.",
      retryAfterSeconds: FULL_RETRY_SECONDS,
    }),
  );
}
