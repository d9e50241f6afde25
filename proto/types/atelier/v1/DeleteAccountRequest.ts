// Original file: atelier/v1/accounts.proto


export interface DeleteAccountRequestInput {
  /**
   * The account's own address, as its owner typed it to confirm.
   */
  'email'?: (string);
}

export interface DeleteAccountRequest {
  /**
   * The account's own address, as its owner typed it to confirm.
   */
  'email': (string);
}
