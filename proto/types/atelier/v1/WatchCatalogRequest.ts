// Original file: atelier/v1/catalog.proto


export interface WatchCatalogRequestInput {
}

export interface WatchCatalogRequest {
}
