// Original file: atelier/v1/accounts.proto


export interface GetConfirmationRequestInput {
  'confirmation_id'?: (string);
}

export interface GetConfirmationRequest {
  'confirmation_id': (string);
}
