// Original file: atelier/v1/credits.proto

import type { ExpiringGrantInput as _atelier_v1_ExpiringGrantInput, ExpiringGrant as _atelier_v1_ExpiringGrant } from '../../atelier/v1/ExpiringGrant.ts';
import type { Long } from '@grpc/proto-loader';

export interface BalanceInput {
  'balance'?: (number | string | Long);
  'held'?: (number | string | Long);
  /**
   * balance - held, never below 0.
   */
  'available'?: (number | string | Long);
  /**
   * The newest entry's seq and hash: with them the owner can tell that nothing was cut off the end. 0 and the genesis hash when there is none.
   */
  'ledger_seq'?: (number | string | Long);
  'ledger_hash'?: (string);
  /**
   * What is available of grants that expire, the soonest first; the rest of available never expires.
   */
  'grants'?: (_atelier_v1_ExpiringGrantInput)[];
  /**
   * When the next period begins, with the monthly credits of the plan at that time. Absent for an account that is closed.
   */
  'next_grant_at'?: (string);
  /**
   * Why the free plan's credits are missing, for the website: held (for a first purchase or an approval), elsewhere (another account of the
   * mailbox has them) or later (an account that is deleted had those of the mailbox; they begin with the next period). Empty otherwise.
   */
  'missing_welcome'?: (string);
  '_next_grant_at'?: "next_grant_at";
}

export interface Balance {
  'balance': (number);
  'held': (number);
  /**
   * balance - held, never below 0.
   */
  'available': (number);
  /**
   * The newest entry's seq and hash: with them the owner can tell that nothing was cut off the end. 0 and the genesis hash when there is none.
   */
  'ledger_seq': (number);
  'ledger_hash': (string);
  /**
   * What is available of grants that expire, the soonest first; the rest of available never expires.
   */
  'grants': (_atelier_v1_ExpiringGrant)[];
  /**
   * When the next period begins, with the monthly credits of the plan at that time. Absent for an account that is closed.
   */
  'next_grant_at'?: (string);
  /**
   * Why the free plan's credits are missing, for the website: held (for a first purchase or an approval), elsewhere (another account of the
   * mailbox has them) or later (an account that is deleted had those of the mailbox; they begin with the next period). Empty otherwise.
   */
  'missing_welcome': (string);
}
