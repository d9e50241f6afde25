// Original file: atelier/v1/admin.proto


export interface ResumeQueueRequestInput {
}

export interface ResumeQueueRequest {
}
