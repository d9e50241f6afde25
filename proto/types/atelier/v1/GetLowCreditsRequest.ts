// Original file: atelier/v1/credits.proto


export interface GetLowCreditsRequestInput {
}

export interface GetLowCreditsRequest {
}
