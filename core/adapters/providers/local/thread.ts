// Entry of a thread of the embedded provider: makes one thing at a time, says how far it is, and stops when it is cancelled.
import { inspect } from "node:util";
import { parentPort } from "node:worker_threads";
import sharp from "sharp";
import type { Modality } from "../../../../proto/resources/job.ts";
import type { ProviderOutput } from "../provider.ts";
import { createAudioMaker, NARRATOR, VOICE } from "./audio.ts";
import { createVideoMaker, LOOP, RIDE } from "./clip.ts";
import { drift } from "./drift.ts";
import { createImageMaker } from "./image.ts";
import { type Maker, type Making, pictureOf, Refused } from "./maker.ts";
import { PICTURES } from "./pictures.ts";
import { restyle } from "./restyle.ts";

export type PictureTask = Pick<Making, "prompt" | "params" | "inputs"> & {
  modality: Modality;
  model: string;
  /** Four shared bytes: anything but 0 calls the task off. */
  cancelled: SharedArrayBuffer;
};

export type Report =
  | { kind: "progress"; fraction: number }
  | { kind: "done"; pieces: ProviderOutput[] }
  /** The message is for the job's owner; `bug` is for the log, if it is not the request that can never work. */
  | { kind: "failed"; message: string; bug?: string };

const MAKERS: ReadonlyMap<string, Maker> = new Map([
  ...[...PICTURES].map(([name, draw]) => [`image/${name}`, createImageMaker(draw)] as const),
  ["video/motion", createVideoMaker(RIDE)],
  ["video/loop", createVideoMaker(LOOP)],
  ["image/restyle", restyle],
  ["video/drift", drift],
  ["audio/voice", createAudioMaker(VOICE)],
  ["audio/narrator", createAudioMaker(NARRATOR)],
]);

// Nothing is drawn twice, so a cache would only hold memory.
sharp.cache(false);

parentPort?.on("message", (task: PictureTask) => void work(task));

async function work(task: PictureTask): Promise<void> {
  const flag = new Int32Array(task.cancelled);
  const onProgress = (fraction: number): void => report({ kind: "progress", fraction });
  const checkpoint = (): void => {
    if (Atomics.load(flag, 0) !== 0) throw new Refused("The job was cancelled.");
  };
  try {
    const model = task.modality === "image" ? pictureOf(task.model, task.params) : task.model;
    const make = MAKERS.get(`${task.modality}/${model}`);
    if (!make) throw new Refused(`The embedded provider has no ${task.modality} model of this name.`);
    const pieces = await make({ ...task, onProgress, checkpoint });
    report({ kind: "done", pieces });
  } catch (error) {
    if (error instanceof Refused) report({ kind: "failed", message: error.message });
    else report({ kind: "failed", message: "The file could not be made.", bug: inspect(error) });
  }
}

function report(message: Report): void {
  parentPort?.postMessage(message);
}
