// Original file: atelier/v1/credits.proto


export interface GetBalanceRequestInput {
}

export interface GetBalanceRequest {
}
