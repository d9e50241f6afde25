// Original file: atelier/v1/jobs.proto


export interface SumSpendingByKeyRequestInput {
}

export interface SumSpendingByKeyRequest {
}
