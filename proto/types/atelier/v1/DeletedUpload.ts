// Original file: atelier/v1/uploads.proto


export interface DeletedUploadInput {
}

export interface DeletedUpload {
}
