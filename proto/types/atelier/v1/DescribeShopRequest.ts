// Original file: atelier/v1/orders.proto


export interface DescribeShopRequestInput {
}

export interface DescribeShopRequest {
}
