// Original file: atelier/v1/jobs.proto


export interface TakeProviderWebhookReplyInput {
}

export interface TakeProviderWebhookReply {
}
