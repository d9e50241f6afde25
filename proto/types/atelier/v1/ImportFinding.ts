// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface ImportFindingInput {
  'line'?: (number | string | Long);
  /**
   * Empty when the row has none.
   */
  'slug'?: (string);
  /**
   * Field, as in the row; empty for the row as a whole.
   */
  'path'?: (string);
  'message'?: (string);
}

export interface ImportFinding {
  'line': (number);
  /**
   * Empty when the row has none.
   */
  'slug': (string);
  /**
   * Field, as in the row; empty for the row as a whole.
   */
  'path': (string);
  'message': (string);
}
