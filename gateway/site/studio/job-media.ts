// The outputs of a job as pictures, players and links. Pictures and posters are thumbnails if available; the file itself is a link or loads
// when it is played. All files come from our own origin with the session, because the policy of pages forbids other origins.
import { type JobResource, understoodWords } from "../../../proto/resources/job.ts";
import { fileName } from "../../answers/file-names.ts";
import { fileSize } from "../design/format.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { standingNotice } from "../design/notice.ts";
import { dateOf } from "../design/time.ts";
import { excerpt } from "./job-words.ts";
import { modalityAddress, sharePath } from "./paths.ts";
import { inTheMaking, mediaClass, shapeOf } from "./placeholder.ts";

type Output = JobResource["outputs"][number];

const ALT_LENGTH = 200;

/** What has become of a job: what is being made, what was made, or why there is nothing. */
export function jobResult(
  job: JobResource,
  now: Date,
  { failed, cancelled }: { failed: string; cancelled: string },
): Markup {
  switch (job.state) {
    case "reserved":
    case "running":
    case "cancelling":
      return inTheMaking(job);
    case "completed":
      return jobMedia(job, now);
    case "failed":
      return standingNotice({ tone: "danger", title: job.error?.message ?? failed });
    case "cancelled":
      return standingNotice({ tone: "info", title: cancelled });
  }
}

function jobMedia(job: JobResource, now: Date): Markup {
  const { modality, params, outputs } = job;
  return html`<div class=${mediaClass(modality, outputs.length, shapeOf(modality, params))}>
    ${job.outputs.map((output, i) => figure(job, output, i, now))}
  </div>`;
}

/** Whether a file still exists: it has not expired, and its owner has not deleted it. */
export function isThere({ expires_at }: Output, now: Date): boolean {
  return new Date(expires_at) > now;
}

/** What can be made from a picture, by a model of which modality. */
const NEXT = [
  ["Restyle", "image"],
  ["Animate", "video"],
] as const;

function figure(job: JobResource, output: Output, i: number, now: Date): Markup {
  const ordinal = job.outputs.length > 1 ? `${i + 1} of ${job.outputs.length}: ` : "";
  if (!isThere(output, now)) return html`<p class="note media__gone">${ordinal}${goneWords(output)}</p>`;
  const address = outputAddress(job.job_id, output.output_id);
  const name = `${ordinal}${excerpt(job.prompt, ALT_LENGTH)}`;
  // The prompt may name what is not in the picture.
  const shows = output.understood ? `${ordinal}${understoodWords(output.understood)}` : name;
  return html`<figure class="media__item">
    ${output.mime_type.startsWith("audio/") && soundPicture(output)}
    ${player(output, { address, thumbnails: thumbnailsOf(job.job_id, output), name: shows })}
    <figcaption class="cluster cluster--apart note">
      <span class="cluster">
        ${
          output.mime_type.startsWith("image/") &&
          NEXT.map(
            ([word, modality]) =>
              html`<a
                href=${`${modalityAddress(modality, { outputId: output.output_id, jobId: job.job_id })}#prompt`}
                >${word}<span class="aside-from-sight"> ${name}</span></a
              >`,
          )
        }
        <a href=${sharePath(job.job_id, output.output_id)}
          >Share<span class="aside-from-sight"> ${name}</span></a
        >
        <a href=${address} download=${downloadName(job, i)}
          >Download<span class="aside-from-sight"> ${name}</span></a
        >
      </span>
      <span>${facts(output)}</span>
    </figcaption>
    ${output.understood && html`<p class="note">${understoodWords(output.understood)}</p>`}
  </figure>`;
}

function goneWords({ deleted_at, expires_at }: Output): Children {
  return deleted_at === undefined
    ? html`The file was kept until ${dateOf(expires_at)} and has been removed.`
    : html`File deleted on ${dateOf(deleted_at)}.`;
}

/** The name of the downloaded file. */
function downloadName({ prompt, outputs }: JobResource, i: number): string {
  const { output_id: fallback = "", mime_type = "" } = outputs[i] ?? {};
  return fileName({ prompt, ordinal: i + 1, fallback }, mime_type).full;
}

type PlayedFile = { mime_type: string; width: number | null; height: number | null };
type Shown = { address: string; thumbnails: readonly ShownThumbnail[]; name: string };
export type ShownThumbnail = { readonly address: string; readonly width: number; readonly height: number };

/** Chosen by the type of the file, which may differ from the requested modality. */
export function player(
  { mime_type, width, height }: PlayedFile,
  { address, thumbnails, name }: Shown,
): Markup | false {
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
      loop
      muted
      playsinline
      preload=${largest ? "none" : "metadata"}
      aria-label=${name}
      ...${size}
    ></video>`;
  if (mime_type.startsWith("audio/"))
    return html`<audio src=${address} controls preload="metadata" aria-label=${name}></audio>`;
  return false;
}

/** Narrowest first; empty if the file no longer exists. */
export function thumbnailsOf(jobId: string, { thumbnails }: Output): ShownThumbnail[] {
  return thumbnails.map(({ url, width, height }) => {
    const { pathname } = new URL(url);
    return { address: outputAddress(jobId, pathname.slice(pathname.lastIndexOf("/") + 1)), width, height };
  });
}

/** The narrowest available picture of a job, drawn for a sound. It has no alternative text, because the job is described beside it. */
export function firstPicture(
  { job_id, outputs }: Pick<JobResource, "job_id" | "outputs">,
  now: Date,
  className?: string,
): Markup | undefined {
  const shown = outputs.find((output) => output.thumbnails.length > 0 && isThere(output, now));
  const [thumbnail] = shown ? thumbnailsOf(job_id, shown) : [];
  if (thumbnail) return thumbnailImage(thumbnail, className);
  const sound = outputs.find((output) => output.mime_type.startsWith("audio/") && isThere(output, now));
  return sound && soundPicture(sound, className);
}

const BARS = 24;

/** Bars, other ones for each file: its checksum decides how long they are. */
function soundPicture({ sha256 }: Output, className = ""): Markup {
  const bars = Array.from({ length: BARS }, (_, i) => {
    const loudness = Number.parseInt(sha256.charAt(i), 16) || 0;
    const long = Math.round((6 + 3 * loudness) * Math.sin((Math.PI * (i + 1)) / (BARS + 1)));
    return `M${18 + 4 * i} ${48 - long / 2}v${long}`;
  });
  return html`<svg
    class=${`sound ${className}`}
    viewBox="0 0 128 96"
    width="128"
    height="96"
    aria-hidden="true"
    focusable="false"
    fill="none"
  >
    <path d=${bars.join("")} stroke="currentColor" stroke-width="2" stroke-linecap="round" />
  </svg>`;
}

/** For example 0:04; undefined for a picture, or where the length is not known. */
export function lengthOf({ outputs }: Pick<JobResource, "outputs">): string | undefined {
  const seconds = Math.round(outputs[0]?.duration_seconds ?? 0);
  if (seconds === 0) return undefined;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function thumbnailImage({ address, width, height }: ShownThumbnail, className?: string): Markup {
  return html`<img
    class=${className}
    src=${address}
    width=${width}
    height=${height}
    alt=""
    loading="lazy"
  />`;
}

const CREDENTIALS_WORDS = {
  signed: "signed (Content Credentials)",
  unsupported: "format cannot be signed",
  failed: "not signed: signing failed",
  off: "not signed",
} as const;

function facts(output: Output): Markup {
  const { mime_type, width, height, duration_seconds, bytes, expires_at, content_credentials } = output;
  const known = [
    mime_type.split("/")[1]?.toUpperCase(),
    width !== null && height !== null && `${width} × ${height}`,
    duration_seconds !== null && `${Math.round(duration_seconds * 10) / 10} s`,
    fileSize(bytes),
    content_credentials !== undefined && CREDENTIALS_WORDS[content_credentials],
  ].filter(Boolean);
  return html`${known.join(" · ")} · kept until ${dateOf(expires_at)}`;
}

function outputAddress(jobId: string, outputId: string): string {
  return `/account/api/jobs/${jobId}/outputs/${outputId}`;
}
