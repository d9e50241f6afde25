// Original file: atelier/v1/sessions.proto


export interface PersonInput {
  'account_id'?: (string);
  'email'?: (string);
  'name'?: (string);
  'plan'?: (string);
}

export interface Person {
  'account_id': (string);
  'email': (string);
  'name': (string);
  'plan': (string);
}
