// Original file: atelier/v1/admin.proto

import type { BulkInput as _atelier_v1_BulkInput, Bulk as _atelier_v1_Bulk } from '../../atelier/v1/Bulk.ts';

export interface ListBulksReplyInput {
  'bulks'?: (_atelier_v1_BulkInput)[];
  /**
   * Empty on the last page.
   */
  'next_cursor'?: (string);
}

export interface ListBulksReply {
  'bulks': (_atelier_v1_Bulk)[];
  /**
   * Empty on the last page.
   */
  'next_cursor': (string);
}
