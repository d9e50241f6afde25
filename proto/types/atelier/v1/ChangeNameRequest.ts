// Original file: atelier/v1/accounts.proto


export interface ChangeNameRequestInput {
  'name'?: (string);
}

export interface ChangeNameRequest {
  'name': (string);
}
