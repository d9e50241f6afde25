// Original file: atelier/v1/memberships.proto


export interface ListTiersRequestInput {
}

export interface ListTiersRequest {
}
