// Original file: atelier/v1/catalog.proto

import type { SlugEntryInput as _atelier_v1_SlugEntryInput, SlugEntry as _atelier_v1_SlugEntry } from '../../atelier/v1/SlugEntry.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListSlugsReplyInput {
  'revision'?: (string);
  /**
   * Of all public products.
   */
  'total'?: (number | string | Long);
  'entries'?: (_atelier_v1_SlugEntryInput)[];
}

export interface ListSlugsReply {
  'revision': (string);
  /**
   * Of all public products.
   */
  'total': (number);
  'entries': (_atelier_v1_SlugEntry)[];
}
