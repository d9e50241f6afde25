// Original file: atelier/v1/admin.proto


export interface FailedMailInput {
  'mail_id'?: (string);
  'account_id'?: (string);
  /**
   * What it tells, as order.receipt, and of what.
   */
  'kind'?: (string);
  'ref'?: (string);
  'status'?: (string);
  'attempts'?: (number);
  'error'?: (string);
  'created_at'?: (string);
}

export interface FailedMail {
  'mail_id': (string);
  'account_id': (string);
  /**
   * What it tells, as order.receipt, and of what.
   */
  'kind': (string);
  'ref': (string);
  'status': (string);
  'attempts': (number);
  'error': (string);
  'created_at': (string);
}
