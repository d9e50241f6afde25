// Original file: atelier/v1/sessions.proto

import type { Long } from '@grpc/proto-loader';

export interface PersonInput {
  'account_id'?: (string);
  'email'?: (string);
  'name'?: (string);
  'plan'?: (string);
  /**
   * Signed in within the last day, which is asked for before a key is made or the account is deleted.
   */
  'fresh'?: (boolean);
  /**
   * What every page shows beside the name.
   */
  'credits_available'?: (number | string | Long);
}

export interface Person {
  'account_id': (string);
  'email': (string);
  'name': (string);
  'plan': (string);
  /**
   * Signed in within the last day, which is asked for before a key is made or the account is deleted.
   */
  'fresh': (boolean);
  /**
   * What every page shows beside the name.
   */
  'credits_available': (number);
}
