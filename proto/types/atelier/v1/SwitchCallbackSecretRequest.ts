// Original file: atelier/v1/accounts.proto


export interface SwitchCallbackSecretRequestInput {
}

export interface SwitchCallbackSecretRequest {
}
