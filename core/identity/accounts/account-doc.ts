// The stored document of an account.

/** A membership while `period_end` is in the future. Nothing is written when it ends. */
export type MembershipTerms = {
  tier: string;
  /** Since when it has been active without a gap. */
  started_at: Date;
  period_end: Date;
};

/** The free part of a grant that expires; jobs know the parts that are held. Each grant has at most one such part that is not due yet. */
export type ExpiringGrant = {
  /** The grant's ledger entry. */
  readonly grant_id: string;
  /** Above 0. */
  readonly left: number;
  readonly expires_at: Date;
};

/**
 * One account, with the numbers that move together: credits, the head of its ledger, and its place in the queue. They share a document so
 * that every decision about them is one read and one write, and so that two transactions on one account conflict.
 *
 * Updates: accept, claim, settle, cancel, grants (always in a transaction that also writes the ledger); plan, status and membership by
 * operators.
 * Deletion: never; when its owner deletes it, it loses everything that identifies the owner.
 */
export type AccountDoc = {
  _id: string;
  email: string;
  name: string;
  plan: string;
  /** Deleted for good: address and name are empty, and nothing lets anybody in. The numbers stay, since the ledger does. */
  status: "active" | "suspended" | "deleted";
  /**
   * Why the free plan's credits do not come: they wait for a first purchase or an approval, or another account of the same mailbox has
   * them. Always absent where they come.
   */
  welcome?: "held" | "elsewhere";
  /** Stored here so that a member's request reads it with the account, in the same transaction. Absent if there never was one. */
  membership?: MembershipTerms;
  /** Credits that the account owns, including held ones. */
  balance: number;
  /** Credits reserved for jobs that have not started. */
  held: number;
  /** Grants that expire, soonest first. All other available credits last for ever. Absent until there is one. */
  expiring?: readonly ExpiringGrant[];
  /**
   * When the account's next period begins and brings its plan's monthly credits; null once the account is closed. Absent in tests and
   * measurements that want no such credits.
   */
  next_grant_at?: Date | null;
  /**
   * When the sweep of credits must look at the account: at its next period, or at an earlier end of a grant. A separate field, so that
   * holding credits changes no index.
   */
  due_at?: Date | null;
  /**
   * The number of available credits below which the owner wants to be told, and whether that has been done since there were last as many.
   */
  low?: { readonly below: number; readonly told: boolean };
  /** seq and hash of the newest ledger entry. */
  ledger_seq: number;
  ledger_hash: string;
  /**
   * When the newest ledger entry was made; the next one is never earlier. Absent until an entry is made by a release that keeps this field.
   */
  ledger_at?: Date;
  /** Jobs in state reserved. */
  waiting: number;
  /**
   * Jobs in state running: the used concurrency slots. Changes in the transaction that starts or ends a job, so that a crash cannot leak a
   * slot. A rescue recounts it from the jobs themselves, and the audit checks it.
   */
  running: number;
  /** Milliseconds since 1970 of the last claim. */
  served_at: number;
  /**
   * The account's place in the line of accounts with jobs to claim, least recently served first: `served_at` while a job waits and the plan
   * has a free slot for it, else null. A separate field, so that a job which starts at once changes no index.
   */
  turn: number | null;
  /** Keys ever made. Every new key changes it, so that two keys made at once on one account conflict and the limit holds. */
  keys_made: number;
  created_at: Date;
};
