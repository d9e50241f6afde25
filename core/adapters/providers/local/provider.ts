// The embedded provider: real files from this machine alone, off the main thread, the same bytes for the same request.
import type { Understood } from "../../../../proto/resources/job.ts";
import type { Logger } from "../../../../runtime/log/log.ts";
import type { Provider } from "../provider.ts";
import { readInputs } from "../read-inputs.ts";
import { drawGradient } from "./gradient/gradient.ts";
import { landscapeWords } from "./landscape/landscape.ts";
import { drawPattern } from "./pattern/pattern.ts";
import { createThreadPool } from "./pool.ts";
import { posterWords } from "./poster/copy.ts";
import { readPrompt } from "./words/read-prompt.ts";

const THREADS = 2;
type Reader = (prompt: string) => Understood | undefined;
const sketched: Reader = (prompt) => readPrompt(prompt).understood;
/** What models show of a prompt, for those that make a picture of it alone. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["landscape", landscapeWords],
  ["motion", landscapeWords],
  ["loop", landscapeWords],
  ["poster", posterWords],
  ["pattern", (prompt) => drawPattern({ prompt, width: 64, height: 64, variation: "" }).understood],
  ["gradient", (prompt) => drawGradient({ prompt, width: 64, height: 64, variation: "" }).understood],
  ["sketch", sketched],
  ["canvas", sketched],
  ["vector", sketched],
]);
const MAX_QUEUED = 4_096;

export function createLocalProvider(log: Logger): Provider {
  const pool = createThreadPool({ threads: THREADS, maxQueued: MAX_QUEUED, log });
  return {
    name: "local",
    safeToRepeat: true,
    stopsWhenAborted: true,
    async start({ modality, model, prompt, params }, call) {
      const inputs = await readInputs(call);
      const order = { modality, model, prompt, params, inputs };
      const pieces = await pool.run(order, call.signal, call.onProgress);
      return pieces.map((piece) => ({ ...piece, drawnByRules: true }));
    },
    understand: (model, prompt) => READERS.get(model)?.(prompt),
    close: () => pool.close(),
  };
}
