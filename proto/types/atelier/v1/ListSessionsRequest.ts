// Original file: atelier/v1/sessions.proto


export interface ListSessionsRequestInput {
}

export interface ListSessionsRequest {
}
