// The embedded provider: real files from this machine alone, off the main thread, the same bytes for the same request.
import type { Logger } from "../../../runtime/log.ts";
import type { Provider, ProviderCall } from "../provider.ts";
import { createThreadPool } from "./pool.ts";

const THREADS = 2;
const MAX_QUEUED = 4_096;
const SMALL_INPUTS_BYTES = 4 * 2 ** 20;

export function createLocalProvider(log: Logger): Provider {
  const pool = createThreadPool({ threads: THREADS, maxQueued: MAX_QUEUED, log });
  return {
    name: "local",
    safeToRepeat: true,
    stopsWhenAborted: true,
    async start({ modality, model, prompt, params }, call) {
      const inputs = await readInputs(call);
      return pool.run({ modality, model, prompt, params, inputs }, call.signal, call.onProgress);
    },
    close: () => pool.close(),
  };
}

async function readInputs({ inputs, makeRoom }: ProviderCall): Promise<ReadonlyMap<string, Uint8Array>> {
  const named = [...inputs];
  if (named.reduce((sum, [, { bytes }]) => sum + bytes, 0) > SMALL_INPUTS_BYTES) await makeRoom();
  return new Map(await Promise.all(named.map(async ([name, input]) => [name, await input.read()] as const)));
}
