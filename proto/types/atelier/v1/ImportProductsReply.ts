// Original file: atelier/v1/catalog.proto

import type { ImportFindingInput as _atelier_v1_ImportFindingInput, ImportFinding as _atelier_v1_ImportFinding } from '../../atelier/v1/ImportFinding.ts';
import type { Long } from '@grpc/proto-loader';

export interface ImportProductsReplyInput {
  'created'?: (number | string | Long);
  'updated'?: (number | string | Long);
  'unchanged'?: (number | string | Long);
  /**
   * When there is one, nothing was written.
   */
  'findings'?: (_atelier_v1_ImportFindingInput)[];
  /**
   * Of the catalog after the batch.
   */
  'version'?: (number | string | Long);
}

export interface ImportProductsReply {
  'created': (number);
  'updated': (number);
  'unchanged': (number);
  /**
   * When there is one, nothing was written.
   */
  'findings': (_atelier_v1_ImportFinding)[];
  /**
   * Of the catalog after the batch.
   */
  'version': (number);
}
