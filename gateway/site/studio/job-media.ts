// What a job made, as pictures, players and links. Pictures and posters are thumbnails where there are any; the file itself is a link, or
// comes when it is played. All of it from our own address, with the session: signed addresses may be of another origin, which the policy of
// pages forbids.
import type { JobResource } from "../../../proto/resources/job.ts";
import { date, fileSize } from "../design/format.ts";
import { type Markup, html } from "../design/markup.js";
import { understoodWords } from "../browser/understood-words.js";
import { excerpt } from "./job-words.ts";
import { useAsInputAddress } from "./paths.ts";

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
    ${player(output, { address, thumbnails: thumbnailsOf(job.job_id, output), name })}
    <figcaption class="cluster cluster--apart note">
      <span>${facts(output)}</span>
      <span class="cluster">
        ${
          output.mime_type.startsWith("image/") &&
          html`<a href=${useAsInputAddress({ outputId: output.output_id, jobId: job.job_id })}
            >Use as input<span class="aside-from-sight"> ${name}</span></a
          >`
        }
        <a href=${address} download>Download<span class="aside-from-sight"> ${name}</span></a>
      </span>
    </figcaption>
    ${output.understood && html`<p class="note">${understoodWords(output.understood)}</p>`}
  </figure>`;
}

type Shown = { address: string; thumbnails: readonly ShownThumbnail[]; name: string };
export type ShownThumbnail = { readonly address: string; readonly width: number; readonly height: number };

/** By the file's own type, which may differ from what the job was asked for. */
function player({ mime_type, width, height }: Output, { address, thumbnails, name }: Shown): Markup | false {
  const size = { width: width ?? undefined, height: height ?? undefined };
  const largest = thumbnails.at(-1);
  if (mime_type.startsWith("image/") && largest)
    return html`<a href=${address}><img src=${largest.address} alt=${name} ...${size} /></a>`;
  if (mime_type.startsWith("image/")) return html`<img src=${address} alt=${name} ...${size} />`;
  if (mime_type.startsWith("video/"))
    return html`<video
      src=${address}
      poster=${largest?.address}
      controls
      playsinline
      preload=${largest ? "none" : "metadata"}
      aria-label=${name}
      ...${size}
    ></video>`;
  if (mime_type.startsWith("audio/"))
    return html`<audio src=${address} controls preload="metadata" aria-label=${name}></audio>`;
  return false;
}

/** Narrowest first; of a file that is gone there is none. */
export function thumbnailsOf(jobId: string, { thumbnails }: Output): ShownThumbnail[] {
  return thumbnails.map(({ url, width, height }) => {
    const { pathname } = new URL(url);
    return { address: outputAddress(jobId, pathname.slice(pathname.lastIndexOf("/") + 1)), width, height };
  });
}

/** The narrowest picture of what a job made, while it is kept. */
export function firstThumbnail({ job_id, outputs }: JobResource, now: Date): ShownThumbnail | undefined {
  const shown = outputs.find(
    ({ thumbnails, expires_at }) => thumbnails.length > 0 && new Date(expires_at) > now,
  );
  return shown && thumbnailsOf(job_id, shown)[0];
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
