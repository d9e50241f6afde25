// Original file: atelier/v1/uploads.proto

import type { Long } from '@grpc/proto-loader';

export interface UploadAddressInput {
  'upload_id'?: (string);
  /**
   * PUT.
   */
  'method'?: (string);
  'url'?: (string);
  /**
   * To be sent with the file.
   */
  'headers'?: ({[key: string]: string});
  'max_bytes'?: (number | string | Long);
  'expires_at'?: (string);
  /**
   * To be POSTed to once the file is sent; absent where sending it is all.
   */
  'finish_url'?: (string);
  '_finish_url'?: "finish_url";
}

export interface UploadAddress {
  'upload_id': (string);
  /**
   * PUT.
   */
  'method': (string);
  'url': (string);
  /**
   * To be sent with the file.
   */
  'headers': ({[key: string]: string});
  'max_bytes': (number);
  'expires_at': (string);
  /**
   * To be POSTed to once the file is sent; absent where sending it is all.
   */
  'finish_url'?: (string);
}
