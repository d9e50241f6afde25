// Original file: atelier/v1/library.proto


export interface SignFileRequestInput {
  'file_id'?: (string);
}

export interface SignFileRequest {
  'file_id': (string);
}
