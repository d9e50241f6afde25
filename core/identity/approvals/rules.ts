// When a person has to confirm a request of a key, what an answer is worth, and what the refusal says until then. Pure.
import { AppError } from "../../../proto/codes.ts";
import type { AskedJob } from "../../../proto/resources/confirmation.ts";
import { characters } from "../../../proto/resources/job.ts";
import type { Identity } from "../accounts/rules.ts";
import type { ApprovalDoc } from "./store.ts";

/** For so long a question stands, and then its answer. */
const CONFIRM_WITHIN_MS = 15 * 60_000;
const MAX_SHOWN_CHARACTERS = 200;

/** What is asked for, and by which key. */
type Question = Omit<ApprovalDoc, "confirmation_id" | "state" | "created_at" | "expires_at">;

/** Until a person has said yes. Whoever asked writes the question down, and then refuses with its address. */
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

/** The key, and the digest of the request, by which a question is found again. */
export function questionId({ account, key }: Identity, requestSha256: string): string {
  return `${account._id} ${key?.key_id} ${requestSha256}`;
}

/** Whether a person has to say yes to this price. */
export function needsApproval({ confirm }: Identity, credits: number): boolean {
  return confirm !== undefined && credits > confirm.above;
}

/**
 * Why the request cannot go through yet: undefined where the person has said yes to it, on the website or, as `confirmedId` says, to the
 * client that asked. A yes is for this price alone.
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

/** The question as it is stored at first. */
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

/** What would be made and what it costs, for whoever is asked to say yes. */
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
