// Original file: atelier/v1/jobs.proto

import type { KeySpendingInput as _atelier_v1_KeySpendingInput, KeySpending as _atelier_v1_KeySpending } from '../../atelier/v1/KeySpending.ts';

export interface SumSpendingByKeyReplyInput {
  /**
   * Keys without a job in this time are left out, and so are jobs that no key asked for.
   */
  'spending'?: (_atelier_v1_KeySpendingInput)[];
  /**
   * False when there were too many jobs to count all: the older ones are missing.
   */
  'complete'?: (boolean);
}

export interface SumSpendingByKeyReply {
  /**
   * Keys without a job in this time are left out, and so are jobs that no key asked for.
   */
  'spending': (_atelier_v1_KeySpending)[];
  /**
   * False when there were too many jobs to count all: the older ones are missing.
   */
  'complete': (boolean);
}
