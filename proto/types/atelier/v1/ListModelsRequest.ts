// Original file: atelier/v1/models.proto


export interface ListModelsRequestInput {
  'modality'?: (string);
}

export interface ListModelsRequest {
  'modality': (string);
}
