// Original file: atelier/v1/credits.proto

import type { Long } from '@grpc/proto-loader';

export interface GrantShareInput {
  'grant_id'?: (string);
  'amount'?: (number | string | Long);
}

export interface GrantShare {
  'grant_id': (string);
  'amount': (number);
}
