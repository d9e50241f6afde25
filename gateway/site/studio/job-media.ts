// What a job made, as pictures, players and links. Files come from our own address, with the session: signed addresses may be of another
// origin, which the policy of pages forbids.
import type { JobResource } from "../../../proto/resources/job.ts";
import { date, fileSize } from "../design/format.ts";
import { type Markup, html } from "../design/markup.js";
import { excerpt } from "./job-words.ts";

type Output = JobResource["outputs"][number];

const ALT_LENGTH = 200;

export function jobMedia(job: JobResource, now: Date): Markup {
  return html`<div class=${`media media--${job.modality}`}>
    ${job.outputs.map((output, i) => figure(job, output, i, now))}
  </div>`;
}

function figure(job: JobResource, output: Output, i: number, now: Date): Markup {
  const ordinal = job.outputs.length > 1 ? `${i + 1} of ${job.outputs.length}: ` : "";
  if (new Date(output.expires_at) <= now) {
    return html`<p class="note">
      ${ordinal}The file was kept until ${date(output.expires_at)} and has been removed.
    </p>`;
  }
  const address = outputAddress(job.job_id, output.output_id);
  const name = `${ordinal}${excerpt(job.prompt, ALT_LENGTH)}`;
  return html`<figure class="media__item">
    ${player(output, address, name)}
    <figcaption class="cluster cluster--apart note">
      <span>${facts(output)}</span>
      <a href=${address} download>Download<span class="aside-from-sight"> ${name}</span></a>
    </figcaption>
  </figure>`;
}

/** By the file's own type, which may differ from what the job was asked for. */
function player({ mime_type, width, height }: Output, address: string, name: string): Markup | false {
  const size = { width: width ?? undefined, height: height ?? undefined };
  if (mime_type.startsWith("image/")) return html`<img src=${address} alt=${name} ...${size} />`;
  if (mime_type.startsWith("video/"))
    return html`<video
      src=${address}
      controls
      playsinline
      preload="metadata"
      aria-label=${name}
      ...${size}
    ></video>`;
  if (mime_type.startsWith("audio/"))
    return html`<audio src=${address} controls preload="metadata" aria-label=${name}></audio>`;
  return false;
}

function facts({ mime_type, width, height, duration_seconds, bytes, expires_at }: Output): string {
  return [
    mime_type.split("/")[1]?.toUpperCase(),
    width !== null && height !== null && `${width} × ${height}`,
    duration_seconds !== null && `${Math.round(duration_seconds * 10) / 10} s`,
    fileSize(bytes),
    `kept until ${date(expires_at)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function outputAddress(jobId: string, outputId: string): string {
  return `/account/api/jobs/${jobId}/outputs/${outputId}`;
}
