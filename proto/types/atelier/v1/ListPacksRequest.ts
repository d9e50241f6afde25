// Original file: atelier/v1/orders.proto


export interface ListPacksRequestInput {
}

export interface ListPacksRequest {
}
