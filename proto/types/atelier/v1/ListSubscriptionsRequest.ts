// Original file: atelier/v1/subscriptions.proto


export interface ListSubscriptionsRequestInput {
}

export interface ListSubscriptionsRequest {
}
