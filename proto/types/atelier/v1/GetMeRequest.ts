// Original file: atelier/v1/accounts.proto


export interface GetMeRequestInput {
}

export interface GetMeRequest {
}
