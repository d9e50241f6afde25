// Original file: atelier/v1/accounts.proto


export interface IdentityInput {
  'account_id'?: (string);
  'key_id'?: (string);
  'scope'?: (string);
  'plan'?: (string);
}

export interface Identity {
  'account_id': (string);
  'key_id': (string);
  'scope': (string);
  'plan': (string);
}
