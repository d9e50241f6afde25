// Original file: atelier/v1/memberships.proto


export interface GetMembershipRequestInput {
}

export interface GetMembershipRequest {
}
