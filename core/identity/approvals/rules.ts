// When a key's request needs approval, how long an approval is valid, and the refusal until then. Pure.
import { AppError, invalidField } from "../../../proto/codes.ts";
import type { AskedJob } from "../../../proto/resources/confirmation.ts";
import { characters } from "../../../proto/resources/job.ts";
import type { LocalTimes } from "../../../runtime/local-times.ts";
import type { Identity } from "../accounts/rules.ts";
import type { RaisedThreshold } from "../accounts/store.ts";
import type { ApprovalDoc } from "./store.ts";

/** How long a request for approval, and then its answer, is valid. */
const CONFIRM_WITHIN_MS = 15 * 60_000;
/** How long the program may take to repeat its request and get what the approval has started. */
const GET_WITHIN_MS = 24 * 60 * 60_000;
/** How long a raised threshold lasts. */
const RAISED_MS = 60 * 60_000;
const MAX_SHOWN_CHARACTERS = 200;

/** The request, and its key. */
type Question = Omit<ApprovalDoc, "confirmation_id" | "state" | "created_at" | "expires_at">;

/** The refusal until the user approves. The caller stores the request for approval, and then refuses with its URL. */
export class Unconfirmed extends AppError {
  readonly question: Question;

  constructor(question: Question, before: number | undefined) {
    super("confirmation_required", {
      message: `${priceChange(question.credits, before)}${describeQuestion(question)}`,
      numbers: { credits_required: question.credits, confirm_above: question.above },
    });
    this.question = question;
  }
}

/** The key and the digest of the request, which identify an approval. */
export function questionId({ account, key }: Identity, requestSha256: string): string {
  return `${account._id} ${key?.key_id} ${requestSha256}`;
}

/** Whether there may be approvals of the caller's requests. */
export function mayHaveAnswers({ confirm, lostThreshold }: Identity): boolean {
  return confirm !== undefined || lostThreshold === true;
}

/** Whether this price needs approval. */
export function needsApproval({ confirm }: Identity, credits: number): boolean {
  return confirm !== undefined && credits > confirm.above;
}

/**
 * Why the request cannot proceed: undefined when the user has approved it, on the website or, by `confirmedId`, in the client that asked,
 * or when a raised threshold admits it. An approval is for this price only, and a request that was declined stays so.
 */
export function refuseUnconfirmed(
  question: Question,
  known: ApprovalDoc | undefined,
  { confirmedId, now }: { confirmedId: string | undefined; now: Date },
): AppError | undefined {
  const unconfirmed = (before?: number) =>
    question.credits > question.above ? new Unconfirmed(question, before) : undefined;
  if (!known || !isOpen(known, now)) return unconfirmed();
  const isApproved =
    known.state === "yes" || (known.state === "asked" && known.confirmation_id === confirmedId);
  if (known.credits !== question.credits) return unconfirmed(isApproved ? known.credits : undefined);
  if (isApproved) return undefined;
  return known.state === "no" ? new AppError("confirmation_declined") : unconfirmed();
}

/** Why the user's approval cannot start its request now: it is another one, was used, has expired, or is for another price. */
export function refuseStart(
  question: Question,
  known: ApprovalDoc | undefined,
  { startsBy, now }: { startsBy: string; now: Date },
): AppError | undefined {
  if (known?.confirmation_id !== startsBy || known.state !== "yes" || known.expires_at <= now)
    return new AppError("not_found");
  return known.credits === question.credits ? undefined : new Unconfirmed(question, known.credits);
}

/** Whether an answer to it can still be given or used. */
export function isOpen({ state, expires_at }: ApprovalDoc, now: Date): boolean {
  return state !== "used" && expires_at > now;
}

/** Whether an earlier request for approval stands, at this price; also while the program has not got what it started. */
export function isOpenAt(known: ApprovalDoc, price: number, now: Date): boolean {
  return (isOpen(known, now) || startedBy(known, now) !== undefined) && known.credits === price;
}

/** The id of the job or workflow that an approval has started, until the program gets it. */
export function startedBy(
  { job_id, workflow_id, job_taken, expires_at }: ApprovalDoc,
  now: Date,
): string | undefined {
  return !job_taken && expires_at > now ? (workflow_id ?? job_id) : undefined;
}

/** The threshold for the next hour, which the user chose with an approval: up to its price. Throws invalid_request. */
export function raisedBy({ above, credits }: ApprovalDoc, to: number, now: Date): RaisedThreshold {
  if (!Number.isSafeInteger(to) || to <= above || to > credits)
    throw invalidField("raise_to", `must be a whole number from ${above + 1} to ${credits}`);
  return { above: to, until: new Date(now.getTime() + RAISED_MS) };
}

/** The approval as it is first stored. */
export function askedQuestion(question: Question, approvalId: string, now: Date): ApprovalDoc {
  return {
    ...question,
    confirmation_id: approvalId,
    state: "asked",
    created_at: now,
    expires_at: answerUntil(now),
  };
}

export function answerUntil(now: Date): Date {
  return new Date(now.getTime() + CONFIRM_WITHIN_MS);
}

/** Until when the program gets what an approval starts now. */
export function getUntil(now: Date): Date {
  return new Date(now.getTime() + GET_WITHIN_MS);
}

function priceChange(credits: number, before: number | undefined): string {
  return before === undefined
    ? ""
    : `The price has changed from ${before} to ${credits} credits since it was confirmed, so it has to be confirmed again. `;
}

/** The mail to the owner about a request that waits. `url` is the page that answers it. */
export function approvalMail(
  asked: ApprovalDoc,
  { url, times, models }: { url: string; times: LocalTimes; models: NamedModels },
): { subject: string; text: string } {
  const { key_name, credits, expires_at } = asked;
  return {
    subject: `Your key ${key_name} asks to spend ${inWords(credits)}`,
    text: [
      `The assistant or program with your key ${key_name} asks to spend credits. Nothing is spent unless you approve.`,
      [
        `  For      ${whatFor(asked, models).replaceAll(/\s+/g, " ")}`,
        `  Credits  ${credits}`,
        `  Until    ${times.time(expires_at)}`,
      ].join("\n"),
      `Approve or decline: ${url}`,
      "Requests that come while this one waits get no mail. The page lists them.",
    ].join("\n\n"),
  };
}

/** The request and its price, for the user who is asked to approve. */
function describeQuestion(question: Question): string {
  const { credits, above, key_name } = question;
  return `The key ${JSON.stringify(key_name)} asks to spend ${inWords(credits)} on ${whatFor(question)}. Above ${inWords(above)} a user has to approve.`;
}

function inWords(credits: number): string {
  return credits === 1 ? "1 credit" : `${credits} credits`;
}

/** Models by slug; a program knows them by the slug alone. */
export type NamedModels = ReadonlyMap<string, { readonly name: string }>;

/** What a request is for, in words. */
export function whatFor(
  { jobs, work }: Pick<Question, "jobs" | "work">,
  models: NamedModels = new Map(),
): string {
  const [first] = jobs;
  if (work !== undefined) return work;
  return jobs.length === 1 && first
    ? `${first.modality} with ${models.get(first.model_slug)?.name ?? first.model_slug}: ${shownPrompt(first)}`
    : `a workflow of ${jobs.length} jobs, beginning with ${first ? shownPrompt(first) : ""}`;
}

function shownPrompt({ prompt }: AskedJob): string {
  const isLong = characters(prompt) > MAX_SHOWN_CHARACTERS;
  return JSON.stringify(isLong ? `${[...prompt].slice(0, MAX_SHOWN_CHARACTERS).join("")}…` : prompt);
}
