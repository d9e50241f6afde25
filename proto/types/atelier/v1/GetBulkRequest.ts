// Original file: atelier/v1/admin.proto


export interface GetBulkRequestInput {
  'bulk_id'?: (string);
}

export interface GetBulkRequest {
  'bulk_id': (string);
}
