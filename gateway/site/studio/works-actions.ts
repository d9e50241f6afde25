// Actions on several works: downloading their files as one archive, or deleting the files.
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Zip, ZipPassThrough } from "fflate";
import { clientGone } from "../../../edge/http/client-gone.ts";
import { cutWhenStalled } from "../../../edge/http/slow-connections.ts";
import type { CallOptions, CoreClient } from "../../../proto/client.ts";
import { fromMessages } from "../../../proto/codec.ts";
import { AppError } from "../../../proto/codes.ts";
import { type JobResource, jobSchema } from "../../../proto/resources/job.ts";
import { MAX_PAGE } from "../../../proto/resources/page.ts";
import { fileName, fullStem } from "../../answers/file-names.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { counted } from "../design/format.ts";
import { type Markup } from "../design/markup.js";
import { notice } from "../design/notice.ts";
import { renderPage } from "../layout/render-page.ts";
import { personCall } from "../session/current-person.ts";
import { formOf } from "../session/forms.ts";
import { isThere } from "./job-media.ts";
import { deletePage } from "./jobs-page.ts";
import { askModelNames } from "./model-names.ts";
import { DELETE_PATH, DOWNLOAD_PATH, JOBS_PATH } from "./paths.ts";

/** The result of the last action in the address of the list. */
export const NOTICES = ["none", "gone", "large"] as const;
export type Notice = (typeof NOTICES)[number] | undefined;

export function worksActions(app: GatewayApp, { core, config }: GatewayOptions): void {
  app.post(DOWNLOAD_PATH, async (request, reply) => {
    const jobs = await chosenJobs(request, core);
    if (jobs.length === 0) return back(reply, "none");
    const files = filesOf(jobs, new Date());
    if (files.length === 0) return back(reply, "gone");
    if (files.reduce((sum, { output }) => sum + output.bytes, 0) > MAX_ZIP_BYTES) return back(reply, "large");
    const call = { ...personCall(request), signal: clientGone(reply) };
    cutWhenStalled(reply.raw, config.stallMs);
    return reply
      .type("application/zip")
      .header("content-disposition", `attachment; filename="${archiveName(files)}"`)
      .send(Readable.from(zipFiles(inArchive(files, core, call)), { objectMode: false }));
  });

  app.post(DELETE_PATH, async (request, reply) => {
    const now = new Date();
    const jobs = await chosenJobs(request, core);
    const withFiles = jobs.filter(({ outputs }) => outputs.some((output) => isThere(output, now)));
    if (withFiles.length === 0) return back(reply, jobs.length === 0 ? "none" : "gone");
    if (formOf(request).get("confirmed") === "")
      return renderPage(
        reply,
        deletePage({
          person: request.person,
          jobs: withFiles,
          modelName: await askModelNames(core, request),
          now,
        }),
      );
    const call = personCall(request);
    await Promise.all(withFiles.map(({ job_id }) => core.jobs.DeleteOutputs({ job_id }, call)));
    return reply.redirect(`${JOBS_PATH}?deleted=${withFiles.length}`, 303);
  });
}

/** The message above the list after an action. */
export function noticeText(news: Notice, deleted: number | undefined): Markup | undefined {
  if (deleted !== undefined)
    return notice({ tone: "success", title: `The files of ${counted(deleted, "job")} are deleted` });
  switch (news) {
    case "none":
      return notice({
        tone: "info",
        title: "Select some works first",
        body: "Tick the box on each one you want.",
      });
    case "gone":
      return notice({ tone: "info", title: "Nothing you selected has a file any more" });
    case "large":
      return notice({
        tone: "warning",
        title: "That is too much for one archive",
        body: "Select fewer works: up to 4 GB fit in one.",
      });
    default:
      return undefined;
  }
}

function back(reply: FastifyReply, news: NonNullable<Notice>): FastifyReply {
  return reply.redirect(`${JOBS_PATH}?news=${news}`, 303);
}

/** Jobs of other persons are not found. */
async function chosenJobs(request: FastifyRequest, core: CoreClient): Promise<JobResource[]> {
  const ids = [...new Set(formOf(request).all("job"))].slice(0, MAX_PAGE);
  if (ids.length === 0) return [];
  const { jobs } = await core.jobs.ListJobs({ job_ids: ids, limit: MAX_PAGE }, personCall(request));
  return fromMessages(jobSchema, jobs);
}

type ChosenFile = { job: JobResource; output: JobResource["outputs"][number]; name: string };

/** Numbered if several jobs have the same prompt, so that file names are unique. */
function filesOf(jobs: readonly JobResource[], now: Date): ChosenFile[] {
  const counts = new Map<string, number>();
  return jobs.flatMap((job) =>
    job.outputs
      .filter((output) => isThere(output, now))
      .map((output) => {
        const stem = fullStem(job.prompt);
        const ordinal = (counts.get(stem) ?? 0) + 1;
        counts.set(stem, ordinal);
        const { prompt } = job;
        const { full: name } = fileName({ prompt, ordinal, fallback: output.output_id }, output.mime_type);
        return { job, output, name };
      }),
  );
}

function archiveName(files: readonly ChosenFile[]): string {
  const [first] = files;
  const isOneJob = first !== undefined && files.every(({ job }) => job === first.job);
  if (!isOneJob) return `atelier-${new Date().toISOString().slice(0, 10)}.zip`;
  const name = fileName({ prompt: first.job.prompt, ordinal: 0, fallback: first.job.job_id }, "");
  return `${name.ascii.replace(/-0$/, "")}.zip`;
}

function inArchive(files: readonly ChosenFile[], core: CoreClient, call: CallOptions): ZippedFile[] {
  return files.map(({ job, output, name }) => ({
    name,
    at: new Date(job.ended_at ?? job.created_at),
    open: () => openFile(core, { job_id: job.job_id, output_id: output.output_id }, call),
  }));
}

/** Undefined if the file was deleted or expired after the archive was begun. */
async function openFile(
  core: CoreClient,
  asked: { job_id: string; output_id: string },
  call: CallOptions,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const messages = core.jobs.ReadOutput(asked, call)[Symbol.asyncIterator]();
  try {
    await messages.next();
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
  return piecesOf(messages);
}

/** The first message was the header. */
async function* piecesOf(messages: AsyncIterator<{ data: Uint8Array }>): AsyncGenerator<Uint8Array> {
  try {
    for (let next = await messages.next(); !next.done; next = await messages.next()) yield next.value.data;
  } finally {
    await messages.return?.();
  }
}

/** Sizes and offsets in such an archive have 32 bits, and names and headers need some of that. */
const MAX_ZIP_BYTES = 4 * 10 ** 9;

export type ZippedFile = {
  readonly name: string;
  readonly at: Date;
  /** Called when its turn comes; undefined if the file is gone by then, which leaves it out. */
  open(): Promise<AsyncIterable<Uint8Array> | undefined>;
};

/** Throws what reading a file throws. The archive is then cut off, which its reader notices. */
export async function* zipFiles(files: readonly ZippedFile[]): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = [];
  const zip = new Zip((error, data) => {
    if (error) throw error;
    made.push(data);
  });
  const taken = () => {
    const all = made;
    made = [];
    return all;
  };
  for (const { name, at, open } of files) {
    const pieces = await open();
    if (!pieces) continue;
    const file = new ZipPassThrough(name);
    file.mtime = at;
    zip.add(file);
    for await (const piece of pieces) {
      file.push(piece);
      yield* taken();
    }
    file.push(NOTHING, true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}

const NOTHING = new Uint8Array();
