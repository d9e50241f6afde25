// Original file: atelier/v1/credits.proto

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
}
