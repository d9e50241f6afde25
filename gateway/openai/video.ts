// A job that makes a video, as OpenAI's API has it.
import type { z } from "zod";
import type { JobResource } from "../../proto/resources/job.ts";
import type { videoSchema } from "./shapes.ts";

export type Video = z.output<typeof videoSchema>;

const STATUS = {
  reserved: "queued",
  running: "in_progress",
  cancelling: "in_progress",
  completed: "completed",
  failed: "failed",
  cancelled: "failed",
} as const satisfies Record<JobResource["state"], Video["status"]>;

/** A video whose file was deleted is not shown any more, nor is a job with another kind of output. */
export function isShown({ modality, outputs }: JobResource): boolean {
  return (
    modality === "video" &&
    (outputs.length === 0 || outputs.some(({ deleted_at }) => deleted_at === undefined))
  );
}

export function toVideo(job: JobResource): Video {
  const { job_id, state, params, created_at, ended_at, prompt, model_slug } = job;
  const [file] = job.outputs;
  const seconds = file?.duration_seconds ?? params["duration_seconds"];
  const [width, height] = [file?.width ?? params["width"], file?.height ?? params["height"]];
  return {
    id: job_id,
    object: "video",
    status: STATUS[state],
    progress: progressOf(job),
    model: model_slug,
    prompt,
    seconds: typeof seconds === "number" ? String(seconds) : "",
    size: typeof width === "number" && typeof height === "number" ? `${width}x${height}` : "",
    created_at: toSeconds(created_at),
    completed_at: state === "completed" && ended_at !== null ? toSeconds(ended_at) : null,
    expires_at: file ? toSeconds(file.expires_at) : null,
    error: errorOf(job),
    remixed_from_video_id: null,
  };
}

function errorOf({ state, error }: JobResource): Video["error"] {
  if (state === "cancelled") return { code: "cancelled", message: "The job was cancelled." };
  return error && { code: error.code, message: error.message };
}

function progressOf({ state, events }: JobResource): number {
  if (state === "completed") return 100;
  const fraction = events.findLast(({ type }) => type === "progress")?.detail["fraction"];
  return typeof fraction === "number" ? Math.round(fraction * 100) : 0;
}

function toSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}
