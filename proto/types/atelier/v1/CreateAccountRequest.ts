// Original file: atelier/v1/admin.proto


export interface CreateAccountRequestInput {
  'email'?: (string);
  'name'?: (string);
  'plan'?: (string);
}

export interface CreateAccountRequest {
  'email': (string);
  'name': (string);
  'plan': (string);
}
