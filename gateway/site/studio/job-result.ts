// The result of a job on every page that shows one: a placeholder of its size while it runs, then the outputs or the error.
import type { JobResource } from "../../../proto/resources/job.ts";
import type { Children } from "../design/markup.js";
import { notice } from "../design/notice.ts";
import { jobMedia, placeholder } from "./job-media.ts";

export function jobResult(job: JobResource, now: Date): Children {
  switch (job.state) {
    case "reserved":
    case "running":
    case "cancelling":
      return placeholder(job, progressWords(job));
    case "completed":
      return jobMedia(job, now);
    case "failed":
      return notice({ tone: "danger", title: job.error?.message ?? "The job failed.", isNews: false });
    case "cancelled":
      return notice({ tone: "info", title: "Cancelled", isNews: false });
  }
}

function progressWords({ state, estimated_seconds }: JobResource): string {
  if (state === "reserved") return "Waiting for its turn";
  return state === "cancelling"
    ? "Stopping"
    : `Usually about ${Math.max(1, Math.round(estimated_seconds))} s`;
}
