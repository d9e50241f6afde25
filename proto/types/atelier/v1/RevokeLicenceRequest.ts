// Original file: atelier/v1/admin.proto


export interface RevokeLicenceRequestInput {
  'licence_id'?: (string);
}

export interface RevokeLicenceRequest {
  'licence_id': (string);
}
