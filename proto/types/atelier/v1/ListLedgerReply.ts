// Original file: atelier/v1/credits.proto

import type { LedgerEntryInput as _atelier_v1_LedgerEntryInput, LedgerEntry as _atelier_v1_LedgerEntry } from '../../atelier/v1/LedgerEntry.ts';

export interface ListLedgerReplyInput {
  'entries'?: (_atelier_v1_LedgerEntryInput)[];
  'next_cursor'?: (string);
  /**
   * Newest first; with by_job only.
   */
  'of_jobs'?: (_atelier_v1_LedgerEntryInput)[];
}

export interface ListLedgerReply {
  'entries': (_atelier_v1_LedgerEntry)[];
  'next_cursor': (string);
  /**
   * Newest first; with by_job only.
   */
  'of_jobs': (_atelier_v1_LedgerEntry)[];
}
