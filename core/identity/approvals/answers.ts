// Approvals within one transaction: read with its other data, and used up with its writes.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { AppError } from "../../../proto/codes.ts";
import type { AskedJob } from "../../../proto/resources/confirmation.ts";
import type { Identity } from "../accounts/rules.ts";
import type { App } from "../../kernel/app.ts";
import { questionId, refuseUnconfirmed } from "./rules.ts";
import { type ApprovalDoc, findApprovals, saveUsed } from "./store.ts";

/** A request whose key may need approval, and the digest that identifies it. */
export type ApprovalRequest = { readonly identity: Identity; readonly sha256: string };

export type Answers = {
  /**
   * The refusal of the request; undefined when it may proceed. This uses the approval up, so it comes after all other refusals.
   * `confirmedId` is the approval that the user gave in the client.
   */
  refuse(
    asking: ApprovalRequest,
    asked: { credits: number; jobs: readonly AskedJob[]; work?: string },
    confirmedId: string | undefined,
  ): AppError | undefined;
  /** Records the used approvals. */
  commit(): Promise<void>;
};

/** Reads nothing where none of these keys has a threshold. */
export async function findAnswers(
  app: App,
  askings: readonly ApprovalRequest[],
  tx: TxContext,
): Promise<Answers> {
  const { db } = app.mongo;
  const ids = askings
    .filter(({ identity }) => identity.confirm)
    .map(({ identity, sha256 }) => questionId(identity, sha256));
  const found = ids.length === 0 ? [] : await findApprovals(db, ids, tx);
  const known = new Map<string, ApprovalDoc>(found.map((doc) => [doc._id, doc]));
  const used: string[] = [];
  return {
    refuse: ({ identity, sha256 }, { credits, jobs, work }, confirmedId) => {
      const { account, key, confirm } = identity;
      // A raised threshold does not matter here: approvals are used up and declines hold in spite of one.
      if (!confirm || key === null || credits <= (key.confirm_above ?? 0)) return undefined;
      const _id = questionId(identity, sha256);
      const { above, keyName: key_name } = confirm;
      const asked = { credits, above, jobs, ...(work !== undefined && { work }) };
      const question = { _id, account_id: account._id, key_id: key.key_id, key_name, ...asked };
      const answer = known.get(_id);
      const refusal = refuseUnconfirmed(question, answer, { confirmedId, now: tx.now });
      if (refusal || !answer || answer.state === "used") return refusal;
      used.push(_id);
      // The next request of this batch does not find it.
      known.set(_id, { ...answer, state: "used" });
      return undefined;
    },
    commit: async () => {
      if (used.length > 0) await saveUsed(db, used, tx);
    },
  };
}
