// Original file: atelier/v1/admin.proto


export interface ListProvidersRequestInput {
}

export interface ListProvidersRequest {
}
