// Original file: atelier/v1/admin.proto


export interface RevokeServiceNameReplyInput {
}

export interface RevokeServiceNameReply {
}
