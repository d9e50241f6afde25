// Original file: atelier/v1/admin.proto


export interface ListDeadReceiversRequestInput {
}

export interface ListDeadReceiversRequest {
}
