// Original file: atelier/v1/credits.proto

import type { GrantShareInput as _atelier_v1_GrantShareInput, GrantShare as _atelier_v1_GrantShare } from '../../atelier/v1/GrantShare.ts';
import type { Long } from '@grpc/proto-loader';

export interface LedgerEntryInput {
  'entry_id'?: (string);
  'seq'?: (number | string | Long);
  'kind'?: (string);
  'amount'?: (number | string | Long);
  'hold'?: (number | string | Long);
  'balance_after'?: (number | string | Long);
  'held_after'?: (number | string | Long);
  'job_id'?: (string);
  'source'?: (string);
  'key_id'?: (string);
  'memo'?: (string);
  'created_at'?: (string);
  'prev_hash'?: (string);
  'hash'?: (string);
  /**
   * Which grants that expire the credits were taken from, or went back to. No part of the hash.
   */
  'grants'?: (_atelier_v1_GrantShareInput)[];
  '_job_id'?: "job_id";
  '_key_id'?: "key_id";
  '_memo'?: "memo";
}

export interface LedgerEntry {
  'entry_id': (string);
  'seq': (number);
  'kind': (string);
  'amount': (number);
  'hold': (number);
  'balance_after': (number);
  'held_after': (number);
  'job_id'?: (string);
  'source': (string);
  'key_id'?: (string);
  'memo'?: (string);
  'created_at': (string);
  'prev_hash': (string);
  'hash': (string);
  /**
   * Which grants that expire the credits were taken from, or went back to. No part of the hash.
   */
  'grants': (_atelier_v1_GrantShare)[];
}
