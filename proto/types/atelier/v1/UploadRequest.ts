// Original file: atelier/v1/uploads.proto


export interface UploadRequestInput {
  'upload_id'?: (string);
}

export interface UploadRequest {
  'upload_id': (string);
}
