// Opens a file that a job made, with the parts of its name; or says that its owner has deleted it.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { type OpenedOutput, openOutput } from "../../kernel/outputs/open.ts";
import type { ByteRange } from "../../kernel/outputs/rules.ts";
import { type FileOrigin, findFileOrigin } from "./store-reads.ts";

/** The characters of a prompt that a file name uses at most. */
const NAMED_CHARACTERS = 200;

type Wanted = { accountId: string; jobId: string; outputId: string } & ByteRange;

/** The parts of a file's name: the prompt, and the file's number among the job's files, from 1. */
export type FileNaming = { prompt: string; ordinal: number };

/** Throws not_found, with the same words for all missing files except deleted ones. */
export async function openJobOutput(app: App, wanted: Wanted): Promise<OpenedOutput> {
  try {
    return await openOutput(app, wanted);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    const { accountId, jobId, outputId } = wanted;
    const origin = await findFileOrigin(app.mongo.db, accountId, jobId);
    if (!origin?.outputs.some((output) => output.deleted_at && names(output, outputId))) throw error;
    throw new AppError("not_found", {
      message: "This file was deleted by its owner.",
      hint: "The job still shows its request; generate again to get another file.",
    });
  }
}

/** Undefined if the job names no such file. */
export async function findFileNaming(
  app: App,
  { accountId, jobId, outputId }: Omit<Wanted, keyof ByteRange>,
): Promise<FileNaming | undefined> {
  const origin = await findFileOrigin(app.mongo.db, accountId, jobId);
  const index = origin?.outputs.findIndex((output) => names(output, outputId)) ?? -1;
  if (!origin || index === -1) return undefined;
  return { prompt: [...origin.prompt].slice(0, NAMED_CHARACTERS).join(""), ordinal: index + 1 };
}

/** Whether the output has this file: as itself, or as one of its thumbnails. */
export function names({ output_id, thumbnails = [] }: FileOrigin["outputs"][number], id: string): boolean {
  return output_id === id || thumbnails.some(({ file_id }) => file_id === id);
}
