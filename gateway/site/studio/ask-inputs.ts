// What the Generate page shows of files that a person may give a model: their own outputs that fit, and what they have brought already.
import type { CallOptions, CoreClient } from "../../../proto/client.ts";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { AppError } from "../../../proto/codes.ts";
import { jobSchema, type JobResource, MODALITIES, type Modality } from "../../../proto/resources/job.ts";
import { uploadSchema, type UploadResource } from "../../../proto/resources/upload.ts";
import { fileSize } from "../design/format.ts";
import type { Draft, Model } from "./draft.ts";
import type { Brought, Pickable } from "./input-fields.ts";
import { thumbnailsOf } from "./job-media.ts";
import { excerpt } from "./job-words.ts";
import { type Param, paramsOf } from "./params.ts";

const RECENT_JOBS = 24;
const MAX_PICKS = 12;
const NAME_LENGTH = 48;

export type InputChoices = {
  readonly pickable: readonly Pickable[];
  /** By the name of the param. */
  readonly brought: ReadonlyMap<string, Brought>;
};

/** An output that the person wants to work from, as an address names it. */
export type WantedInput = { readonly job: JobResource; readonly outputId: string; readonly kind: Modality };

export function inputParamsOf(model: Model): readonly Param[] {
  return paramsOf(model.params_schema).filter(({ kind }) => kind === "file");
}

/** The param of the model that takes a file of this kind. */
export function inputParamFor(model: Model, kind: Modality): Param | undefined {
  return inputParamsOf(model).find(({ accepts }) => accepts.includes(kind));
}

/** The output and its kind, where it is still kept. */
export function wantedInput(job: JobResource, outputId: string, now: Date): WantedInput | undefined {
  const output = job.outputs.find(({ output_id }) => output_id === outputId);
  const kind = output && kindOf(output.mime_type);
  return kind && new Date(output.expires_at) > now ? { job, outputId, kind } : undefined;
}

export async function askInputs(
  core: CoreClient,
  call: CallOptions,
  { model, draft, wanted, now }: { model: Model; draft: Draft; wanted: WantedInput | undefined; now: Date },
): Promise<InputChoices> {
  const params = inputParamsOf(model);
  const kinds = new Set(params.flatMap(({ accepts }) => accepts));
  const [jobs, brought] = await Promise.all([
    Promise.all([...kinds].map((modality) => listMade(core, call, modality))),
    Promise.all(params.map(({ name }) => askBrought(core, call, name, draft.params.get(name) ?? ""))),
  ]);
  const all = [...(wanted ? [wanted.job] : []), ...jobs.flat()];
  const pickable = new Map(
    all.flatMap((job) => pickableOf(job, now)).map((output) => [output.outputId, output]),
  );
  return {
    pickable: [...pickable.values()].slice(0, MAX_PICKS),
    brought: new Map(brought.flatMap((entry) => (entry ? [entry] : []))),
  };
}

async function listMade(core: CoreClient, call: CallOptions, modality: Modality): Promise<JobResource[]> {
  const { jobs } = await core.jobs.ListJobs(
    { limit: RECENT_JOBS, cursor: "", state: "completed", modality },
    call,
  );
  return fromMessages(jobSchema, jobs);
}

function pickableOf(job: JobResource, now: Date): Pickable[] {
  return job.outputs.flatMap((output) => {
    const kind = kindOf(output.mime_type);
    if (!kind || new Date(output.expires_at) <= now) return [];
    const name = excerpt(job.prompt, NAME_LENGTH);
    return [{ outputId: output.output_id, name, kind, thumbnail: thumbnailsOf(job.job_id, output)[0] }];
  });
}

/** What is known of an upload that the form names; one that is gone core will refuse. */
async function askBrought(
  core: CoreClient,
  call: CallOptions,
  param: string,
  value: string,
): Promise<readonly [string, Brought] | undefined> {
  if (!/^upl_\w{1,64}$/.test(value)) return undefined;
  try {
    const upload = fromMessage(uploadSchema, await core.uploads.GetUpload({ upload_id: value }, call));
    return [param, { uploadId: value, words: wordsOf(upload) }];
  } catch (error) {
    if (error instanceof AppError && error.code === "upload_not_found") return undefined;
    throw error;
  }
}

function wordsOf({ mime_type, width, height, bytes }: UploadResource): string {
  const size = width !== null && height !== null ? [`${width} × ${height}`] : [];
  return [mime_type.split("/")[1]?.toUpperCase(), ...size, fileSize(bytes)].join(", ");
}

function kindOf(mimeType: string): Modality | undefined {
  return MODALITIES.find((kind) => mimeType.startsWith(`${kind}/`));
}
