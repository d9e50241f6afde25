// Original file: atelier/v1/models.proto


export interface ListPlansRequestInput {
}

export interface ListPlansRequest {
}
