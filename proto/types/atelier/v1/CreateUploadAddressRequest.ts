// Original file: atelier/v1/uploads.proto

import type { Long } from '@grpc/proto-loader';

export interface CreateUploadAddressRequestInput {
  /**
   * How many bytes will be sent; the address takes no more. 0: as many as a video may have.
   */
  'bytes'?: (number | string | Long);
  /**
   * At the object store, where files are kept in one; needs bytes.
   */
  'direct'?: (boolean);
}

export interface CreateUploadAddressRequest {
  /**
   * How many bytes will be sent; the address takes no more. 0: as many as a video may have.
   */
  'bytes': (number);
  /**
   * At the object store, where files are kept in one; needs bytes.
   */
  'direct': (boolean);
}
