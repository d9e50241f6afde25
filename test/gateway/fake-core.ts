// A core that returns what a test sets, and records its calls, for tests of the translation between HTTP and gRPC.
import type { CallOptions, CoreClient } from "../../proto/client.ts";

type Slices = Omit<CoreClient, "close" | "started">;
type Methods = { [S in keyof Slices]: `${S & string}.${keyof Slices[S] & string}` }[keyof Slices];
type Split<M extends string> = M extends `${infer S}.${infer N}` ? [S, N] : never;
type Fn<M extends Methods> =
  Split<M> extends [infer S extends keyof Slices, infer N]
    ? N extends keyof Slices[S]
      ? Slices[S][N]
      : never
    : never;
type Reply<M extends Methods> =
  Fn<M> extends (...args: never[]) => Promise<infer R>
    ? R | Promise<R>
    : Fn<M> extends (...args: never[]) => infer R
      ? R
      : never;
type Request<M extends Methods> =
  Fn<M> extends (request: infer R, options?: CallOptions) => unknown ? R : never;

export type FakeCall = { method: string; request: Record<string, unknown>; options: CallOptions };

export type FakeCore = {
  core: CoreClient;
  /** All calls so far, in order. */
  calls: FakeCall[];
  /** Sets a method's result; the function may throw an AppError. */
  answer<M extends Methods>(method: M, reply: (request: Request<M>, options: CallOptions) => Reply<M>): void;
  /** Removes its results and calls. */
  reset(): void;
};

const SLICES = [
  "accounts",
  "admin",
  "callbacks",
  "catalog",
  "credits",
  "jobs",
  "memberships",
  "models",
  "orders",
  "sessions",
  "workflows",
] as const satisfies readonly (keyof Slices)[];

const STREAMS = ["ReadOutput", "WatchJob", "WatchCatalog", "ListChanges", "ListOffers"];

export function createFakeCore(): FakeCore {
  const calls: FakeCall[] = [];
  const answers = new Map<string, (request: never, options: CallOptions) => unknown>();
  const slices = SLICES.map((slice) => [
    slice,
    new Proxy(
      {},
      {
        get:
          (_target, name: string) =>
          (request: Record<string, unknown>, options: CallOptions = {}) => {
            const method = `${slice}.${name}`;
            const reply = answers.get(method);
            // Every gateway calls these at its start.
            if (name === "WatchCatalog" && !reply) return silence(options);
            calls.push({ method, request, options });
            if (!reply) throw new Error(`the test gave no answer for ${method}`);
            return STREAMS.includes(name)
              ? reply(request as never, options)
              : settle(() => reply(request as never, options));
          },
      },
    ),
  ]);
  const core = { ...Object.fromEntries(slices), close: () => {} } as unknown as CoreClient;
  return {
    core,
    calls,
    answer: (method, reply) => void answers.set(method, reply as never),
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
