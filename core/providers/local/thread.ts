// Entry of a thread of the embedded provider: makes one thing at a time, says how far it is, and stops when called off.
import { parentPort } from "node:worker_threads";
import sharp from "sharp";
import type { Modality } from "../../../proto/resources/job.ts";
import { createAudioMaker, NARRATOR, VOICE } from "./audio.ts";
import { drift } from "./drift.ts";
import { CANVAS, createImageMaker, VECTOR } from "./image.ts";
import { type Maker, type Params, type Piece, UnusableParam } from "./maker.ts";
import { mark } from "./mark.ts";
import { restyle } from "./restyle.ts";
import { createVideoMaker, LOOP, RIDE } from "./video.ts";

export type Task = {
  modality: Modality;
  model: string;
  prompt: string;
  params: Params;
  /** Written into the file. */
  job: string;
  inputs?: ReadonlyMap<string, Uint8Array>;
  /** Four shared bytes: anything but 0 calls the task off. */
  calledOff: SharedArrayBuffer;
};

export type Report =
  | { kind: "progress"; fraction: number }
  | { kind: "done"; pieces: Piece[] }
  | { kind: "called_off" }
  /** The request can never work; the words are for the job's owner. */
  | { kind: "refused"; message: string }
  /** A fault of ours; the words are for the log. */
  | { kind: "broken"; detail: string };

const MAKERS: Record<Modality, ReadonlyMap<string, Maker>> = {
  image: new Map([
    ["canvas", createImageMaker(CANVAS)],
    ["vector", createImageMaker(VECTOR)],
    ["restyle", restyle],
  ]),
  video: new Map([
    ["motion", createVideoMaker(RIDE)],
    ["loop", createVideoMaker(LOOP)],
    ["drift", drift],
  ]),
  audio: new Map([
    ["voice", createAudioMaker(VOICE)],
    ["narrator", createAudioMaker(NARRATOR)],
  ]),
};

class CalledOff extends Error {}

// Nothing is drawn twice, so a cache would only hold memory.
sharp.cache(false);

parentPort?.on("message", (task: Task) => void work(task));

async function work(task: Task): Promise<void> {
  const flag = new Int32Array(task.calledOff);
  const isCalledOff = (): boolean => Atomics.load(flag, 0) !== 0;
  try {
    const make = MAKERS[task.modality].get(task.model);
    if (!make) throw new UnusableParam(`The embedded provider has no ${task.modality} model of this name.`);
    const pieces = await make({
      prompt: task.prompt,
      params: task.params,
      ...(task.inputs && { inputs: task.inputs }),
      onProgress: (fraction) => report({ kind: "progress", fraction }),
      checkpoint: () => {
        if (isCalledOff()) throw new CalledOff();
      },
    });
    report({ kind: "done", pieces: pieces.map((piece) => mark(piece, task)) });
  } catch (error) {
    if (error instanceof CalledOff) report({ kind: "called_off" });
    else if (error instanceof UnusableParam) report({ kind: "refused", message: error.message });
    else
      report({
        kind: "broken",
        detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
  }
}

function report(message: Report): void {
  parentPort?.postMessage(message);
}
