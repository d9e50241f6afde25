// Original file: atelier/v1/accounts.proto


export interface GetCallbackSecretStateRequestInput {
}

export interface GetCallbackSecretStateRequest {
}
