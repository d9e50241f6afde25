// Original file: atelier/v1/catalog.proto


export interface ListTaxonomyRequestInput {
}

export interface ListTaxonomyRequest {
}
