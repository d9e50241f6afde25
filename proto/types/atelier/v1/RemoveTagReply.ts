// Original file: atelier/v1/catalog.proto


export interface RemoveTagReplyInput {
}

export interface RemoveTagReply {
}
