// Original file: atelier/v1/accounts.proto

import type { ConfirmationJobInput as _atelier_v1_ConfirmationJobInput, ConfirmationJob as _atelier_v1_ConfirmationJob } from '../../atelier/v1/ConfirmationJob.ts';
import type { Long } from '@grpc/proto-loader';

export interface ConfirmationInput {
  'confirmation_id'?: (string);
  /**
   * asked, yes, no, or used once a request went through by the yes.
   */
  'state'?: (string);
  'key_id'?: (string);
  'key_name'?: (string);
  /**
   * What the request costs.
   */
  'credits'?: (number | string | Long);
  'confirm_above'?: (number | string | Long);
  /**
   * What would be made.
   */
  'jobs'?: (_atelier_v1_ConfirmationJobInput)[];
  'created_at'?: (string);
  'expires_at'?: (string);
}

export interface Confirmation {
  'confirmation_id': (string);
  /**
   * asked, yes, no, or used once a request went through by the yes.
   */
  'state': (string);
  'key_id': (string);
  'key_name': (string);
  /**
   * What the request costs.
   */
  'credits': (number);
  'confirm_above': (number);
  /**
   * What would be made.
   */
  'jobs': (_atelier_v1_ConfirmationJob)[];
  'created_at': (string);
  'expires_at': (string);
}
