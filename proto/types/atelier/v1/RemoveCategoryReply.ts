// Original file: atelier/v1/catalog.proto


export interface RemoveCategoryReplyInput {
}

export interface RemoveCategoryReply {
}
