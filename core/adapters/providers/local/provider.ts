// The embedded provider: real files from this machine alone, off the main thread, the same bytes for the same request.
import type { Logger } from "../../../../runtime/log/log.ts";
import type { Provider } from "../provider.ts";
import { readInputs } from "../read-inputs.ts";
import { createThreadPool } from "./pool.ts";
import { readPrompt } from "./words/read-prompt.ts";

const THREADS = 2;
/** Models that make a picture of the prompt alone. */
const DRAWN = /^(canvas|vector|motion|loop)$/;
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
    understand: (model, prompt) => (DRAWN.test(model) ? readPrompt(prompt).understood : undefined),
    close: () => pool.close(),
  };
}
