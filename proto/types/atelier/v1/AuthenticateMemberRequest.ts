// Original file: atelier/v1/memberships.proto


export interface AuthenticateMemberRequestInput {
}

export interface AuthenticateMemberRequest {
}
