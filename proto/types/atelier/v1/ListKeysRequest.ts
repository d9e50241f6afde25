// Original file: atelier/v1/accounts.proto


export interface ListKeysRequestInput {
}

export interface ListKeysRequest {
}
