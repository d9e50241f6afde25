// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface ListChangesRequestInput {
  /**
   * A version from an earlier checkpoint. 0: every public product, once.
   */
  'since'?: (number | string | Long);
  /**
   * The epoch of that checkpoint; another one than the catalog's is refused. Empty: not checked.
   */
  'epoch'?: (string);
}

export interface ListChangesRequest {
  /**
   * A version from an earlier checkpoint. 0: every public product, once.
   */
  'since': (number);
  /**
   * The epoch of that checkpoint; another one than the catalog's is refused. Empty: not checked.
   */
  'epoch': (string);
}
