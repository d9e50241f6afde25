// Original file: atelier/v1/accounts.proto


export interface AnswerConfirmationRequestInput {
  'confirmation_id'?: (string);
  'yes'?: (boolean);
}

export interface AnswerConfirmationRequest {
  'confirmation_id': (string);
  'yes': (boolean);
}
