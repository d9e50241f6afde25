// The embedded provider: real files from this machine alone, off the main thread, the same bytes for the same request.
import type { Understood } from "../../../../proto/resources/job.ts";
import type { Logger } from "../../../../runtime/log/log.ts";
import type { Provider } from "../provider.ts";
import { readInputs } from "../read-inputs.ts";
import { understandWith } from "./art/stage.ts";
import { pictureOf, styleOf } from "./maker.ts";
import { createPicturePool } from "./pool.ts";
import { drawSketch } from "./sketch/scene.ts";
import { loadLexicon } from "./words/lexicon.ts";

const THREADS = 2;
const MAX_QUEUED = 4_096;
/** The smallest picture. */
const SMALL = { width: 64, height: 64 };

function refusalOf(understood: Understood | undefined): string | undefined {
  return understood?.drawn.length === 0
    ? "names nothing that Sketch can draw; name a thing or a place, such as a fox by a lake, or use another model"
    : undefined;
}

export function createLocalProvider(log: Logger): Provider {
  const pool = createPicturePool({ threads: THREADS, maxQueued: MAX_QUEUED, log });
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
    async understand({ model, prompt, params }) {
      // Loaded when it is first needed, because it reads the fonts.
      const { PICTURES } = await import("./pictures.ts");
      const picture = pictureOf(model, params);
      const draw = PICTURES.get(picture);
      const understood = draw && understandWith(draw, prompt, styleOf(params));
      return { understood, refusal: picture === "sketch" ? refusalOf(understood) : undefined };
    },
    refuse: ({ model, prompt, params }) =>
      pictureOf(model, params) === "sketch" ? refusalOf(understandWith(drawSketch, prompt)) : undefined,
    async warm() {
      await import("./pictures.ts");
      loadLexicon();
    },
    async warmStart() {
      const order = {
        modality: "image",
        model: "canvas",
        prompt: "",
        params: SMALL,
        inputs: new Map(),
      } as const;
      const { signal } = new AbortController();
      await Promise.all(Array.from({ length: THREADS }, () => pool.run(order, signal, () => {})));
    },
    close: () => pool.close(),
  };
}
