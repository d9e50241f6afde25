// Original file: atelier/v1/sessions.proto


export interface GetEmailChangeRequestInput {
}

export interface GetEmailChangeRequest {
}
