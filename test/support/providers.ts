// Providers for tests: one that answers immediately, and one that the test controls.
import type {
  Polled,
  Provider,
  ProviderCall,
  ProviderOutput,
  ProviderRequest,
} from "../../core/adapters/providers/provider.ts";
import { waitFor } from "./wait-for.ts";

export const SMALL_OUTPUT: ProviderOutput = {
  bytes: new TextEncoder().encode("made for a test"),
  mimeType: "image/png",
  width: 1,
  height: 1,
};

/** The requested number of outputs. */
export function allOf({ params }: Pick<ProviderRequest, "params">, output = SMALL_OUTPUT): ProviderOutput[] {
  return Array.from({ length: Number(params["count"] ?? 1) }, () => output);
}

/** The memory budget of a call in tests about other things. */
export const ROOMY: Pick<ProviderCall, "maxBytes" | "reserveMemory" | "onUsage" | "inputs"> = {
  maxBytes: 2 ** 30,
  onUsage: () => {},
  reserveMemory: async () => {},
  inputs: new Map(),
};

export function callOf(change: Partial<ProviderCall> = {}): ProviderCall {
  return {
    signal: new AbortController().signal,
    idempotencyKey: "job_1",
    onProgress: () => {},
    ...ROOMY,
    ...change,
  };
}

/** The result of a call that was answered immediately. */
export async function madeBy(started: ReturnType<Provider["start"]>): Promise<readonly ProviderOutput[]> {
  const made = await started;
  if ("handle" in made) throw new Error("the provider answered with a handle");
  return made;
}

export type ScriptedCall = {
  readonly request: ProviderRequest;
  readonly call: ProviderCall;
  finish(outputs?: readonly ProviderOutput[]): void;
  fail(error: Error): void;
};

export type ScriptedProvider = Provider & {
  /** Running and ended calls, oldest first. */
  readonly calls: ScriptedCall[];
  /** Waits for the call for this prompt. */
  callFor(prompt: string): Promise<ScriptedCall>;
};

export type Script = Partial<Pick<Provider, "lookup" | "safeToRepeat" | "stopsWhenAborted" | "cancel">> & {
  /** When given, it answers each call; otherwise calls wait for finish() or fail(). */
  answer?: (
    request: ProviderRequest,
    call: ProviderCall,
    number: number,
  ) => Promise<readonly ProviderOutput[]> | readonly ProviderOutput[];
};

export function createScriptedProvider({
  answer,
  safeToRepeat = true,
  lookup,
  stopsWhenAborted,
  cancel,
}: Script = {}): ScriptedProvider {
  const calls: ScriptedCall[] = [];
  return {
    name: "test",
    safeToRepeat,
    ...(lookup && { lookup }),
    ...(stopsWhenAborted && { stopsWhenAborted }),
    ...(cancel && { cancel }),
    calls,
    callFor: (prompt) =>
      waitFor(`the provider to be called for ${prompt.slice(0, 20)}`, () =>
        calls.find(({ request }) => request.prompt === prompt),
      ),
    start: async (request, call) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly ProviderOutput[]>();
      calls.push({ request, call, finish: (outputs = allOf(request)) => resolve(outputs), fail: reject });
      return answer ? answer(request, call, calls.length) : promise;
    },
  };
}

/** Fails every call in this way. */
export function createFailingProvider(error: Error): ScriptedProvider {
  return createScriptedProvider({
    answer: () => {
      throw error;
    },
  });
}

/** Answers every call immediately with the requested number of small outputs. */
export function createInstantProvider(): ScriptedProvider {
  return createScriptedProvider({ answer: (request) => allOf(request) });
}

/** The running calls of a provider with handles. */
export type Work = {
  readonly handle: string;
  readonly idempotencyKey: string;
  readonly request: ProviderRequest;
  readonly call: ProviderCall;
  polls: number;
  /** The results of the next polls; an error is thrown. */
  answer: Polled | Error | (() => Polled | Promise<Polled>);
  calledOff: boolean;
};

export type HandleProvider = Provider & {
  /** All started calls, oldest first. */
  readonly works: Work[];
  work(handle: string | undefined): Work;
};

/** The requested time of the next poll: as soon as possible. */
export const STILL_RUNNING: Polled = { state: "running", pollAfterMs: 1 };

/** Completes the call with this result. */
export function madeNow(outputs: readonly ProviderOutput[] = [SMALL_OUTPUT]): Polled {
  return { state: "made", collect: async () => outputs };
}

/** Answers each call with a handle. The call runs until its result is set. */
export function createHandleProvider({
  safeToRepeat = false,
  firstAnswer = STILL_RUNNING,
  onStart = () => {},
}: {
  safeToRepeat?: boolean;
  firstAnswer?: Work["answer"];
  /** Called before the handle is returned; it may throw or never resolve. */
  onStart?: (work: Work) => Promise<void> | void;
} = {}): HandleProvider {
  const works: Work[] = [];
  const work = (handle: string | undefined) => {
    const found = works.find((one) => one.handle === handle);
    if (!found) throw new Error(`nothing has the handle ${handle}`);
    return found;
  };
  return {
    name: "test",
    safeToRepeat,
    works,
    work,
    start: async (request, call) => {
      const { idempotencyKey } = call;
      const same = safeToRepeat && works.find((one) => one.idempotencyKey === idempotencyKey);
      const handle = `work-${works.length + 1}`;
      const begun = {
        handle,
        idempotencyKey,
        request,
        call,
        polls: 0,
        answer: firstAnswer,
        calledOff: false,
      };
      if (!same) works.push(begun);
      await onStart(same || begun);
      return { handle: (same || begun).handle, pollAfterMs: 1 };
    },
    poll: async (handle) => {
      const asked = work(handle);
      asked.polls += 1;
      const { answer } = asked;
      if (answer instanceof Error) throw answer;
      return typeof answer === "function" ? answer() : answer;
    },
    cancel: async (handle) => {
      work(handle).calledOff = true;
    },
  };
}
