// Original file: atelier/v1/admin.proto


export interface ApproveWelcomeCreditsRequestInput {
  'account'?: (string);
}

export interface ApproveWelcomeCreditsRequest {
  'account': (string);
}
