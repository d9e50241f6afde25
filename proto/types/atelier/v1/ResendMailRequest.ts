// Original file: atelier/v1/admin.proto


export interface ResendMailRequestInput {
  'mail_id'?: (string);
}

export interface ResendMailRequest {
  'mail_id': (string);
}
