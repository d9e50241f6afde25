// Reads a provider's JSON at the paths that the configuration names. This file is pure.
import type { HttpQueueEntry } from "../../../../runtime/config/http-queue-settings.ts";
import { refusal } from "../http-failure.ts";
import { ProviderError, type ProviderUsage } from "../provider.ts";
import { isObject } from "./template.ts";

const MAX_FILES = 16;
/** The number of values of one response that are searched; more is not a message. */
const MAX_ERROR_CHARS = 4096;

/** Everything at a path, going through lists: "images.url" is the url of every image. */
export function readAll(answer: unknown, place: string): unknown[] {
  const parts = place.split(".");
  const found = parts.reduce<unknown[]>(
    (values, part) =>
      values.flatMap((value) => {
        if (Array.isArray(value) && !/^\d+$/.test(part))
          return value.map((item: unknown) => fieldOf(item, part));
        return [fieldOf(value, part)];
      }),
    [answer],
  );
  return found.flat(2).filter((value) => value !== undefined && value !== null);
}

export function readText(answer: unknown, place: string): string | undefined {
  const [value] = readAll(answer, place);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

export function readNumber(answer: unknown, place: string | undefined): number | undefined {
  const text = place === undefined ? undefined : readText(answer, place);
  const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

export type State = "running" | "made" | "failed" | "cancelled";

/** Undefined for a status that the configuration does not know. */
export function readState({ states }: HttpQueueEntry, answer: unknown): State | undefined {
  const word = readText(answer, states.at);
  if (word === undefined) return undefined;
  if ([...states.queued, ...states.running].includes(word)) return "running";
  if (states.made.includes(word)) return "made";
  if (states.failed.includes(word)) return "failed";
  return states.cancelled.includes(word) ? "cancelled" : undefined;
}

/** The addresses of the files, from the first path that has any. */
export function readFiles({ files }: HttpQueueEntry, answer: unknown): string[] {
  for (const place of files) {
    const addresses = readAll(answer, place).filter(
      (value): value is string => typeof value === "string" && /^(?:https?:\/\/|data:)/i.test(value),
    );
    if (addresses.length > 0) return addresses.slice(0, MAX_FILES);
  }
  return [];
}

/** The provider's report of outputs and cost, from the first response that has it. */
export function readUsage({ usage }: HttpQueueEntry, answers: readonly unknown[]): ProviderUsage {
  const said = (place: string | undefined) =>
    answers.map((answer) => readSigned(answer, place)).find((value) => value !== undefined);
  const [seconds, outputs, amount] = [said(usage?.seconds), said(usage?.outputs), said(usage?.cost)];
  return {
    ...(seconds !== undefined && { seconds }),
    ...(outputs !== undefined && { outputs }),
    ...(amount !== undefined && { cost: { amount, currency: usage?.currency ?? "USD" } }),
  };
}

/** Any number at the path; others decide whether it is usable. */
function readSigned(answer: unknown, place: string | undefined): number | undefined {
  const text = place === undefined ? undefined : readText(answer, place);
  return text === undefined || text.trim() === "" ? undefined : Number(text);
}

/** The meaning of an error in the provider's response, whose own text is shown to no one. Undefined without an error. */
export function readError(
  { errors }: HttpQueueEntry,
  answer: unknown,
): ProviderError | "cancelled" | undefined {
  if (!errors) return undefined;
  const text = errors.at
    .flatMap((place) => readAll(answer, place))
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
    .filter((value) => value !== "" && value !== "{}" && value !== "false")
    .join("\n")
    .slice(0, MAX_ERROR_CHARS)
    .toLowerCase();
  if (text === "") return undefined;
  const tells = (words: readonly string[]) => words.some((word) => text.includes(word.toLowerCase()));
  if (tells(errors.cancelled)) return "cancelled";
  if (tells(errors.refused)) return refusal();
  if (tells(errors.unavailable))
    return new ProviderError("provider_unavailable", "The provider broke off the work on this request.", {
      retryable: true,
    });
  return failedThere();
}

export function failedThere(): ProviderError {
  return new ProviderError("provider_failed", "The provider could not run this request.");
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}
