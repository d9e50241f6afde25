// Original file: atelier/v1/catalog.proto


export interface ListCategoriesRequestInput {
}

export interface ListCategoriesRequest {
}
