// Original file: atelier/v1/catalog.proto


export interface ListTagsRequestInput {
}

export interface ListTagsRequest {
}
