// Original file: atelier/v1/accounts.proto


export interface DeleteAccountReplyInput {
}

export interface DeleteAccountReply {
}
