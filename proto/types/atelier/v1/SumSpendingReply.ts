// Original file: atelier/v1/jobs.proto

import type { SpendingInput as _atelier_v1_SpendingInput, Spending as _atelier_v1_Spending } from '../../atelier/v1/Spending.ts';

export interface SumSpendingReplyInput {
  /**
   * Credits charged and not given back. Oldest day first; days and models without any are left out.
   */
  'spending'?: (_atelier_v1_SpendingInput)[];
  /**
   * The first of the days, as 2026-01-31.
   */
  'since'?: (string);
  /**
   * False when there were too many jobs to count all: the older ones are missing.
   */
  'complete'?: (boolean);
}

export interface SumSpendingReply {
  /**
   * Credits charged and not given back. Oldest day first; days and models without any are left out.
   */
  'spending': (_atelier_v1_Spending)[];
  /**
   * The first of the days, as 2026-01-31.
   */
  'since': (string);
  /**
   * False when there were too many jobs to count all: the older ones are missing.
   */
  'complete': (boolean);
}
