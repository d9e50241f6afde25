// A core that returns what a test sets, and records its calls, for tests of what translates other protocols to gRPC.
import type { CallOptions, CoreClient } from "../../proto/client.ts";

type Slices = Omit<CoreClient, "close" | "started">;
export type Method = { [S in keyof Slices]: `${S & string}.${keyof Slices[S] & string}` }[keyof Slices];
type Split<M extends string> = M extends `${infer S}.${infer N}` ? [S, N] : never;
type Fn<M extends Method> =
  Split<M> extends [infer S extends keyof Slices, infer N]
    ? N extends keyof Slices[S]
      ? Slices[S][N]
      : never
    : never;
type Reply<M extends Method> =
  Fn<M> extends (...args: never[]) => Promise<infer R>
    ? R | Promise<R>
    : Fn<M> extends (...args: never[]) => infer R
      ? R
      : never;
type Request<M extends Method> =
  Fn<M> extends (request: infer R, options?: CallOptions) => unknown ? R : never;

export type FakeCall = { method: Method; request: Record<string, unknown>; options: CallOptions };

export type Answers = Partial<
  Record<Method, (request: Record<string, unknown>, options: CallOptions) => unknown>
>;

export type FakeCore = {
  client: CoreClient;
  /** All calls so far, in order. */
  calls: FakeCall[];
  /** What it answers where a test sets nothing else. */
  standing: Answers;
  /** Sets a method's result; the function may throw an AppError. */
  answer<M extends Method>(method: M, reply: (request: Request<M>, options: CallOptions) => Reply<M>): void;
  /** Sets a method's reply without checking its type; a stream's is the list of its messages. */
  say(method: string, reply: unknown): void;
  fail(method: string, error: () => unknown): void;
  /** Removes what tests have set, and the calls. */
  reset(): void;
};

const STREAMS = ["ReadOutput", "WatchJob", "WatchWorkflow", "WatchCatalog", "ListChanges", "ListOffers"];

export function createFakeCore(standing: Answers = {}): FakeCore {
  const calls: FakeCall[] = [];
  const answers = new Map<string, Answers[Method]>();
  const methodOf =
    (slice: string, name: string) =>
    (request: Record<string, unknown>, options: CallOptions = {}) => {
      const method = `${slice}.${name}` as Method;
      const reply = answers.get(method) ?? standing[method];
      // Every gateway calls these at its start.
      if (name === "WatchCatalog" && !reply) return silence(options);
      calls.push({ method, request, options });
      if (!reply) throw new Error(`the test gave no answer for ${method}`);
      return STREAMS.includes(name) ? reply(request, options) : settle(() => reply(request, options));
    };
  const sliceOf = (slice: string) => new Proxy({}, { get: (_target, name: string) => methodOf(slice, name) });
  return {
    client: new Proxy(
      { close: () => {}, started: undefined },
      { get: (own, name: string) => (name in own ? own[name as "close"] : sliceOf(name)) },
    ) as unknown as CoreClient,
    calls,
    standing,
    answer: (method, reply) => void answers.set(method, reply as Answers[Method]),
    say: (method, reply) => void answers.set(method, () => reply),
    fail: (method, error) =>
      void answers.set(method, () => {
        throw error();
      }),
    reset: () => {
      answers.clear();
      calls.splice(0);
    },
  };
}

async function settle(reply: () => unknown): Promise<unknown> {
  return reply();
}

/** Sends nothing until its listener leaves. */
function silence({ signal }: CallOptions): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => untilAborted(signal) }) };
}

/** Rejects when the signal aborts, as the real client does. */
export function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
  );
}
