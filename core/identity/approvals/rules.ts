// When a key's request needs approval, how long an approval is valid, and the refusal until then. Pure.
import { AppError } from "../../../proto/codes.ts";
import type { AskedJob } from "../../../proto/resources/confirmation.ts";
import { characters } from "../../../proto/resources/job.ts";
import type { Identity } from "../accounts/rules.ts";
import type { ApprovalDoc } from "./store.ts";

/** How long a request for approval, and then its answer, is valid. */
const CONFIRM_WITHIN_MS = 15 * 60_000;
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

/** Whether this price needs approval. */
export function needsApproval({ confirm }: Identity, credits: number): boolean {
  return confirm !== undefined && credits > confirm.above;
}

/**
 * Why the request cannot proceed: undefined when the user has approved it, on the website or, by `confirmedId`, in the client that asked.
 * An approval is for this price only.
 */
export function refuseUnconfirmed(
  question: Question,
  known: ApprovalDoc | undefined,
  { confirmedId, now }: { confirmedId: string | undefined; now: Date },
): AppError | undefined {
  if (!known || known.state === "used" || known.expires_at <= now)
    return new Unconfirmed(question, undefined);
  const isApproved =
    known.state === "yes" || (known.state === "asked" && known.confirmation_id === confirmedId);
  if (known.credits !== question.credits) {
    return new Unconfirmed(question, isApproved ? known.credits : undefined);
  }
  if (isApproved) return undefined;
  return known.state === "no" ? new AppError("confirmation_declined") : new Unconfirmed(question, undefined);
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

function priceChange(credits: number, before: number | undefined): string {
  return before === undefined
    ? ""
    : `The price has changed from ${before} to ${credits} credits since it was confirmed, so it has to be confirmed again. `;
}

/** The request and its price, for the user who is asked to approve. */
function describeQuestion({ jobs, work, credits, above, key_name }: Question): string {
  const [first] = jobs;
  const what =
    work ??
    (jobs.length === 1 && first
      ? `${first.modality} with ${first.model_slug}: ${shownPrompt(first)}`
      : `a workflow of ${jobs.length} jobs, beginning with ${first ? shownPrompt(first) : ""}`);
  return `The key ${JSON.stringify(key_name)} asks to spend ${credits} credits on ${what}. Above ${above} credits a user has to approve.`;
}

function shownPrompt({ prompt }: AskedJob): string {
  const isLong = characters(prompt) > MAX_SHOWN_CHARACTERS;
  return JSON.stringify(isLong ? `${[...prompt].slice(0, MAX_SHOWN_CHARACTERS).join("")}…` : prompt);
}
