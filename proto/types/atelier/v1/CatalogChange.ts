// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface CatalogChangeInput {
  'version'?: (number | string | Long);
  /**
   * UTF-8 JSON without a line end, one of
   * {"epoch":"e","version":n,"op":"upsert","product":P}        P as in ListProductsReply
   * {"epoch":"e","version":n,"op":"remove","id":"…","slug":"…"}  was public and is not any more
   * {"epoch":"e","version":n,"op":"checkpoint"}                 always last: the `since` of the next call
   * A product comes once, with its latest state. Another epoch than that of an earlier call: begin again with an empty copy.
   */
  'line'?: (Buffer | Uint8Array | string);
}

export interface CatalogChange {
  'version': (number);
  /**
   * UTF-8 JSON without a line end, one of
   * {"epoch":"e","version":n,"op":"upsert","product":P}        P as in ListProductsReply
   * {"epoch":"e","version":n,"op":"remove","id":"…","slug":"…"}  was public and is not any more
   * {"epoch":"e","version":n,"op":"checkpoint"}                 always last: the `since` of the next call
   * A product comes once, with its latest state. Another epoch than that of an earlier call: begin again with an empty copy.
   */
  'line': (Buffer);
}
