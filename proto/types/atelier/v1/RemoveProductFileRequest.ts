// Original file: atelier/v1/admin.proto


export interface RemoveProductFileRequestInput {
  'product_slug'?: (string);
  'file_id'?: (string);
}

export interface RemoveProductFileRequest {
  'product_slug': (string);
  'file_id': (string);
}
