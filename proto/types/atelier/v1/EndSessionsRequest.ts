// Original file: atelier/v1/admin.proto


export interface EndSessionsRequestInput {
  'account'?: (string);
}

export interface EndSessionsRequest {
  'account': (string);
}
