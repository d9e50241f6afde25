// Original file: atelier/v1/admin.proto


export interface SetAccountStatusRequestInput {
  'account'?: (string);
  'status'?: (string);
}

export interface SetAccountStatusRequest {
  'account': (string);
  'status': (string);
}
