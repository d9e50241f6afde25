// Original file: atelier/v1/admin.proto

import type { AuditTrailEntryInput as _atelier_v1_AuditTrailEntryInput, AuditTrailEntry as _atelier_v1_AuditTrailEntry } from '../../atelier/v1/AuditTrailEntry.ts';

export interface ListAuditTrailReplyInput {
  'entries'?: (_atelier_v1_AuditTrailEntryInput)[];
  /**
   * Empty on the last page.
   */
  'next_cursor'?: (string);
}

export interface ListAuditTrailReply {
  'entries': (_atelier_v1_AuditTrailEntry)[];
  /**
   * Empty on the last page.
   */
  'next_cursor': (string);
}
