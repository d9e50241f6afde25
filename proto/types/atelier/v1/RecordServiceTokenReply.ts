// Original file: atelier/v1/admin.proto


export interface RecordServiceTokenReplyInput {
}

export interface RecordServiceTokenReply {
}
