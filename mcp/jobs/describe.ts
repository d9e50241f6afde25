// Describes jobs, models and ledger entries briefly, and completely enough for a model that sees only the text.
import type { LedgerEntryResource } from "../../proto/resources/credits.ts";
import { type JobResource, shortfallInWords, understoodWords } from "../../proto/resources/job.ts";
import type { ModelResource } from "../../proto/resources/model.ts";
import { withOrderNumbers } from "../../proto/resources/order.ts";
import { priceInWords, pricingOf, ruleInWords, UNIT_WORDS } from "../../proto/resources/pricing.ts";
import { isObject, type JsonObject } from "../../runtime/json-object.ts";
import { waitInWords } from "../protocol/wait-in-words.ts";

export const WAIT_AGAIN = "Call get_job with this job_id and wait_seconds up to 45 to learn more.";
const SHOWN_PROMPT = 60;

/** Which job it is, and its status. */
export function summarizeJob({ job_id, state, modality, model_slug }: JobResource): string {
  return `Job ${job_id}: ${state} (${modality}, ${model_slug}).`;
}

/** The status, cost, and files or failure of a job, and what to do next. */
export function describeJob(job: JobResource): string {
  const head = summarizeJob(job);
  switch (job.state) {
    case "reserved":
      return [head, `${job.credits_reserved} credits are reserved. ${queueWords(job)}`, WAIT_AGAIN].join(
        "\n",
      );
    case "running":
      return [
        head,
        `Credits charged: ${job.credits_charged}.${progressWords(job)} It takes about ${waitInWords(job.estimated_seconds)}.`,
        WAIT_AGAIN,
      ].join("\n");
    case "cancelling":
      return [
        head,
        "It is being stopped. All its credits come back, unless it is done before that.",
        WAIT_AGAIN,
      ].join("\n");
    case "completed":
      return [head, chargeWords(job), ...job.outputs.map(describeOutput)].join("\n");
    case "failed":
    case "cancelled":
      return [head, ...failureWords(job), refundWords(job)].join("\n");
  }
}

function chargeWords(job: JobResource): string {
  const shortfall = shortfallInWords(job);
  if (shortfall === undefined) return `Credits charged: ${job.credits_charged}.`;
  return `The provider delivered ${shortfall}. ${refundWords(job)}`;
}

/** What a job or workflow that has ended cost, and what came back. */
export function refundWords({
  credits_charged: charged,
  credits_reserved: reserved,
}: Pick<JobResource, "credits_charged" | "credits_reserved">): string {
  if (charged === 0) return `Credits charged: 0. Credits refunded: ${reserved}.`;
  const rest = charged < reserved ? "; the rest was refunded" : "";
  return `Credits charged: ${charged} of ${reserved} reserved${rest}.`;
}

/** One job of a list on one line. */
export function describeListedJob(job: JobResource): string {
  const { job_id, state, modality, model_slug, prompt, credits_reserved, credits_charged, created_at } = job;
  const credits =
    state === "reserved" ? `${credits_reserved} credits reserved` : `${credits_charged} credits charged`;
  const start = [...prompt].slice(0, SHOWN_PROMPT).join("");
  const shownPrompt = JSON.stringify(start.length < prompt.length ? `${start}…` : start);
  return `${job_id}: ${state} (${modality}, ${model_slug}), ${credits}, made ${created_at}: ${shownPrompt}`;
}

/** One ledger entry on one line. */
export function describeLedgerEntry(entry: LedgerEntryResource): string {
  const { seq, kind, amount, hold, balance_after, held_after, job_id, memo, created_at } = entry;
  const about = [
    ...(job_id !== null ? [`job ${job_id}`] : []),
    ...(memo !== null ? [withOrderNumbers(memo)] : []),
  ];
  const tail = about.length > 0 ? `: ${about.join(", ")}` : "";
  return `${seq}. ${created_at} ${kind} ${signed(amount)} (held ${signed(hold)}), balance ${balance_after}, held ${held_after}${tail}`;
}

function signed(credits: number): string {
  return credits > 0 ? `+${credits}` : String(credits);
}

export function describeOutput({
  output_id,
  url,
  mime_type,
  bytes,
  width,
  height,
  duration_seconds,
  expires_at,
  deleted_at,
  understood,
}: JobResource["outputs"][number]): string {
  const facts = [
    mime_type,
    ...(width !== null && height !== null ? [`${width} x ${height}`] : []),
    ...(duration_seconds !== null ? [`${duration_seconds} s`] : []),
    `${bytes} bytes`,
    deleted_at === undefined ? `kept until ${expires_at}` : `deleted by its owner at ${deleted_at}`,
  ];
  const shows = understood ? `. ${understoodWords(understood)}` : "";
  return `File ${output_id}: ${url} (${facts.join(", ")})${shows}`;
}

function queueWords({ queue_position, estimated_seconds }: JobResource): string {
  const place =
    queue_position === null
      ? "It has not started yet"
      : `It is number ${queue_position} in the account's queue`;
  return `${place} and takes about ${waitInWords(estimated_seconds)} once it runs.`;
}

function progressWords({ events }: JobResource): string {
  const fraction = events.findLast((event) => event.type === "progress")?.detail["fraction"];
  return typeof fraction === "number" ? ` About ${Math.round(fraction * 100)}% is done.` : "";
}

function failureWords({ error }: JobResource): string[] {
  return error ? [`Reason (${error.code}): ${error.message}`] : [];
}

/** The names of a model's params, and a brief summary of them; "" without params. */
export function paramsInBrief(schema: ModelResource["params_schema"]): { names: string[]; words: string } {
  const required = [schema["required"]].flat();
  const params = Object.entries(propertiesOf(schema));
  const words = params.map(([param, values]) => {
    const facts = [briefly(values), required.includes(param) ? "required" : ""].filter((fact) => fact !== "");
    return facts.length > 0 ? `${param} (${facts.join(", ")})` : param;
  });
  return {
    names: params.map(([param]) => param),
    words: words.length > 0 ? ` params: ${words.join(", ")}.` : "",
  };
}

/** A model on one line, and one more line with the whole schema of each param. */
export function describeModel(model: ModelResource): string {
  return [
    headOf(model),
    ...priceList(model),
    ...Object.entries(propertiesOf(model.params_schema)).map(
      ([param, schema]) => `  params.${param}: ${JSON.stringify(schema)}`,
    ),
  ].join("\n");
}

function propertiesOf(paramsSchema: ModelResource["params_schema"]): Record<string, unknown> {
  const { properties } = paramsSchema;
  return isObject(properties) ? properties : {};
}

function priceList(model: ModelResource): string[] {
  const { unit, default: usual, rules } = pricingOf(model);
  if (rules.length === 0) return [];
  const lines = rules.map(({ when, credits }) => `${ruleInWords(when)}: ${credits}`);
  return [
    `  credits per ${UNIT_WORDS[unit]}, the first that fits: ${[...lines, `else ${usual}`].join("; ")}.`,
  ];
}

/** A model on one line, without its params. */
export function headOf(model: Omit<ModelResource, "params_schema">): string {
  const { model_slug, name, modality, description, estimated_seconds, max_prompt_length } = model;
  const price = priceInWords(pricingOf(model));
  return `${model_slug} (${modality}): ${name}. ${description} ${price}, about ${waitInWords(estimated_seconds)}, prompt up to ${max_prompt_length} characters.`;
}

/** The values of a param in few characters: 64..2048, its choices or its type, and "=" before the default. */
function briefly(schema: unknown): string {
  if (!isObject(schema)) return "";
  const { default: fallback } = schema;
  const preset = fallback === undefined ? "" : `=${JSON.stringify(fallback)}`;
  return `${valuesIn(schema)} ${preset}`.trim();
}

function valuesIn({ type, enum: choices, minimum, maximum, "x-accept": accept }: JsonObject): string {
  if (Array.isArray(choices)) return choices.join("|");
  if (typeof accept === "string") return `${accept} file`;
  const [from, to] = [minimum, maximum].map((bound) => (typeof bound === "number" ? String(bound) : ""));
  if (from !== "" || to !== "") return `${from}..${to}`;
  return typeof type === "string" ? type : "";
}
