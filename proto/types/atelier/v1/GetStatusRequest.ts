// Original file: atelier/v1/admin.proto


export interface GetStatusRequestInput {
}

export interface GetStatusRequest {
}
