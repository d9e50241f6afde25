// Original file: atelier/v1/models.proto


export interface ShowModelsRequestInput {
}

export interface ShowModelsRequest {
}
