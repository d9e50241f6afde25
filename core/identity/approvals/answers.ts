// Approvals within one transaction: read with its other data, and used up with its writes.
import type { AppError } from "../../../proto/codes.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import type { Identity } from "../accounts/rules.ts";
import {
  getUntil,
  isOpen,
  mayHaveAnswers,
  questionId,
  refuseStart,
  refuseUnconfirmed,
  startedBy,
} from "./rules.ts";
import { type ApprovalDoc, findApprovals, saveUsed, type StartedFields, type UsedFields } from "./store.ts";

/** A request that may need approval, and the digest that identifies it. */
export type ApprovalRequest = { readonly identity: Identity; readonly sha256: string };

/** What the user approves: the price and the jobs, or the work. `start` is the whole request, if an approval starts it. */
export type ApprovalTerms = Pick<ApprovalDoc, "credits" | "jobs" | "work" | "start">;

/** A start of a request by the user's approval, and what it makes. */
type ApprovedStart = { readonly startsBy: string; readonly makes: StartedFields };

export type Answers = {
  /** Jobs and workflows that approvals of these requests have started, and that the program has not got yet. */
  readonly started: readonly { accountId: string; id: string }[];
  /** The id of what an approval of this request has started. The next request does not get it again. */
  takeStarted(asking: ApprovalRequest): string | undefined;
  /** Why the approval cannot start the request; undefined when it can, which uses the approval up. */
  refuseStart(asking: ApprovalRequest, asked: ApprovalTerms, start: ApprovedStart): AppError | undefined;
  /**
   * The refusal of the request; undefined when it may proceed. This uses the approval up, so it comes after all other refusals.
   * `confirmedId` is the approval that the user gave in the client.
   */
  refuse(
    asking: ApprovalRequest,
    asked: ApprovalTerms,
    confirmedId: string | undefined,
  ): AppError | undefined;
  /** Records the used approvals. */
  commit(): Promise<void>;
};

/** Reads nothing for keys that never had a threshold, unless the user's approval starts the request (`startsBy`). */
export async function findAnswers(
  app: App,
  askings: readonly ((ApprovalRequest & { readonly startsBy?: string | undefined }) | undefined)[],
  tx: TxContext,
): Promise<Answers> {
  const { db } = app.mongo;
  const ids = askings.flatMap((asking) => {
    if (!asking || !(mayHaveAnswers(asking.identity) || asking.startsBy !== undefined)) return [];
    return [questionId(asking.identity, asking.sha256)];
  });
  const found = ids.length === 0 ? [] : await findApprovals(db, ids, tx);
  const known = new Map<string, ApprovalDoc>(found.map((doc) => [doc._id, doc]));
  const used = new Map<string, { _id: string } & UsedFields>();
  /** The next request of this batch finds it used. */
  const use = (doc: ApprovalDoc, fields: UsedFields = {}) => {
    known.set(doc._id, { ...doc, ...fields, state: "used" });
    used.set(doc._id, { ...used.get(doc._id), ...fields, _id: doc._id });
  };
  return {
    started: found.flatMap((doc) => {
      const id = startedBy(doc, tx.now);
      return id === undefined ? [] : [{ accountId: doc.account_id, id }];
    }),
    takeStarted: ({ identity, sha256 }) => {
      const doc = known.get(questionId(identity, sha256));
      const id = doc && startedBy(doc, tx.now);
      if (doc && id !== undefined) use(doc, { job_taken: true });
      return id;
    },
    refuseStart: (asking, asked, { startsBy, makes }) => {
      const question = questionOf(asking, asked);
      const answer = known.get(question._id);
      const refusal = refuseStart(question, answer, { startsBy, now: tx.now });
      if (!refusal && answer) use(answer, { ...makes, expires_at: getUntil(tx.now) });
      return refusal;
    },
    refuse: (asking, asked, confirmedId) => {
      const { key, confirm } = asking.identity;
      const question = questionOf(asking, asked);
      const answer = known.get(question._id);
      // A raised threshold does not matter here: declines hold in spite of one.
      const isFree = !confirm || asked.credits <= (key?.confirm_above ?? 0);
      const refusal = isFree ? undefined : refuseUnconfirmed(question, answer, { confirmedId, now: tx.now });
      // Whatever admits the request, its approval starts no second one.
      if (!refusal && answer && isOpen(answer, tx.now)) use(answer);
      return refusal;
    },
    commit: async () => {
      if (used.size > 0) await saveUsed(db, [...used.values()], tx);
    },
  };
}

function questionOf({ identity, sha256 }: ApprovalRequest, asked: ApprovalTerms) {
  const { account, key, confirm } = identity;
  return {
    _id: questionId(identity, sha256),
    account_id: account._id,
    key_id: key?.key_id ?? "",
    key_name: confirm?.keyName ?? key?.name ?? "",
    above: confirm?.above ?? 0,
    ...asked,
  };
}
