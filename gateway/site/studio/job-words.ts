// The words for jobs and their events on pages.
import {
  type JobEventResource,
  type JobResource,
  type Modality,
  shortfallInWords,
} from "../../../proto/resources/job.ts";
import type { BadgeTone } from "../design/badge.ts";
import { counted, credits } from "../design/format.ts";
import type { IconName } from "../design/icon.ts";

type State = JobResource["state"];

export const STATE_WORDS: Readonly<Record<State, string>> = {
  reserved: "Waiting",
  running: "Running",
  cancelling: "Stopping",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
};

export const STATE_TONES: Readonly<Record<State, BadgeTone>> = {
  reserved: "neutral",
  running: "accent",
  cancelling: "neutral",
  completed: "success",
  failed: "danger",
  cancelled: "neutral",
};

export const MODALITY_WORDS: Readonly<Record<Modality, string>> = {
  image: "Image",
  video: "Video",
  audio: "Audio",
};

export const MODALITY_ICONS: Readonly<Record<Modality, IconName>> = {
  image: "image",
  video: "video",
  audio: "audio",
};

/** Where a request came from, by its source. */
export const SOURCE_WORDS: Readonly<Record<string, string>> = {
  api: "API",
  app: "Website",
  mcp: "Assistant",
  member: "Member assistant",
  system: "Atelier",
};

export function isLive({ state }: Pick<JobResource, "state">): boolean {
  return state === "reserved" || state === "running" || state === "cancelling";
}

/** The progress of a running job from 0 to 1, if its provider has reported it since the last start. */
export function fractionDone({ events }: Pick<JobResource, "events">): number | undefined {
  const last = events.findLast(({ type }) => type !== "debited");
  const fraction = last?.type === "progress" ? last.detail["fraction"] : undefined;
  return typeof fraction === "number" ? fraction : undefined;
}

/** The state of the job in one line, which screen readers announce when it changes. */
export function standing(job: JobResource): string {
  switch (job.state) {
    case "reserved":
      return job.queue_position === null || job.queue_position === 1
        ? "Waiting to start. It is next in line."
        : `Waiting to start. Number ${job.queue_position} in line.`;
    case "running": {
      const fraction = fractionDone(job);
      return fraction === undefined ? "Running." : `Running, ${percent(fraction)} done.`;
    }
    case "cancelling":
      return "Stopping. All credits come back, unless it is done before that.";
    case "completed": {
      const made = shortfallInWords(job) ?? counted(job.outputs.length, "file");
      const refund = refundedInPart(job);
      return `Completed: ${made}, ${credits(job.credits_charged)} charged${refund}.`;
    }
    case "failed":
      return `Failed${returned(job)}.`;
    case "cancelled":
      return `Cancelled${job.started_at === null ? " before it started" : ""}${returned(job)}.`;
  }
}

function returned({ credits_reserved: reserved, started_at }: JobResource): string {
  if (reserved === 0) return "";
  return `: ${credits(reserved)} ${started_at === null ? "released, nothing was charged" : "refunded"}`;
}

function refundedInPart({
  credits_reserved: reserved,
  credits_charged: charged,
  ...job
}: JobResource): string {
  return shortfallInWords(job) === undefined || charged === reserved
    ? ""
    : `, ${credits(reserved - charged)} refunded`;
}

/** The text of an event without its time. */
export function eventWords({ type, detail }: JobEventResource): string {
  const amount = typeof detail["credits"] === "number" ? credits(detail["credits"]) : "Credits";
  switch (type) {
    case "reserved":
      return `Accepted, ${amount} held`;
    case "debited":
      return `${amount} charged`;
    case "running":
      return "Started";
    case "progress":
      return typeof detail["position"] === "number"
        ? `Waiting at the provider, ${detail["position"]} before it`
        : `${percent(Number(detail["fraction"]))} done`;
    case "retrying":
      return ["Trying again", detail["message"]].filter((part) => typeof part === "string").join(": ");
    case "cancelling":
      return "Asked to stop";
    case "completed": {
      const refunded = detail["credits_refunded"];
      return typeof refunded === "number" ? `Completed, ${credits(refunded)} refunded` : "Completed";
    }
    case "failed":
      return "Failed";
    case "cancelled":
      return "Cancelled";
    case "released":
      return `${amount} released`;
    case "refunded":
      return `${amount} refunded`;
  }
}

export function percent(fraction: number): string {
  return `${Math.round(fraction * 100)}%`;
}

/** The first words of a prompt in one line, cut at whole characters. */
export function excerpt(prompt: string, length: number): string {
  const line = prompt.replaceAll(/\s+/gu, " ").trim();
  const characters = [...line];
  return characters.length <= length ? line : `${characters.slice(0, length).join("").trimEnd()}…`;
}

/** Where a live job is, in a few words. */
export function progressWords({ state, estimated_seconds }: JobResource): string {
  if (state === "reserved") return "Waiting for its turn";
  return state === "cancelling"
    ? "Stopping"
    : `Usually about ${Math.max(1, Math.round(estimated_seconds))} s`;
}
