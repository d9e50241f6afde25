// Original file: atelier/v1/jobs.proto


export interface DescribeStudioRequestInput {
}

export interface DescribeStudioRequest {
}
