// Original file: atelier/v1/accounts.proto


export interface RotateCallbackSecretRequestInput {
}

export interface RotateCallbackSecretRequest {
}
