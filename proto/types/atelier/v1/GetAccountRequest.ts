// Original file: atelier/v1/admin.proto


export interface GetAccountRequestInput {
  /**
   * account_id or e-mail address.
   */
  'account'?: (string);
}

export interface GetAccountRequest {
  /**
   * account_id or e-mail address.
   */
  'account': (string);
}
