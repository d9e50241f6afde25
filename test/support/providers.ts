// Providers for tests: one that answers at once, and one that waits for the test to say what happens.
import type {
  Provider,
  ProviderCall,
  ProviderOutput,
  ProviderRequest,
} from "../../core/providers/provider.ts";

export const SMALL_OUTPUT: ProviderOutput = {
  bytes: new TextEncoder().encode("made for a test"),
  mimeType: "image/png",
  width: 1,
  height: 1,
};

/** What a call may take in where that is not what a test is about. */
export const ROOMY: Pick<ProviderCall, "maxBytes" | "makeRoom" | "inputs"> = {
  maxBytes: 2 ** 30,
  makeRoom: async () => {},
  inputs: new Map(),
};

/** What a call made that was answered at once. */
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
  /** Calls under way or ended, oldest first. */
  readonly calls: ScriptedCall[];
};

export type Script = Partial<Pick<Provider, "lookup" | "safeToRepeat">> & {
  /** When given, it answers each call; else calls wait for finish() or fail(). */
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
}: Script = {}): ScriptedProvider {
  const calls: ScriptedCall[] = [];
  return {
    name: "test",
    safeToRepeat,
    ...(lookup && { lookup }),
    calls,
    start: async (request, call) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly ProviderOutput[]>();
      calls.push({ request, call, finish: (outputs = [SMALL_OUTPUT]) => resolve(outputs), fail: reject });
      return answer ? answer(request, call, calls.length) : promise;
    },
  };
}

/** Answers every call at once with one small output. */
export function createInstantProvider(): ScriptedProvider {
  return createScriptedProvider({ answer: () => [SMALL_OUTPUT] });
}
