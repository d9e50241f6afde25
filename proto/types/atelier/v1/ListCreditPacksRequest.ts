// Original file: atelier/v1/admin.proto


export interface ListCreditPacksRequestInput {
}

export interface ListCreditPacksRequest {
}
