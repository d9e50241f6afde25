// Original file: atelier/v1/catalog.proto

import type { TagInput as _atelier_v1_TagInput, Tag as _atelier_v1_Tag } from '../../atelier/v1/Tag.ts';

export interface ListTagsReplyInput {
  'tags'?: (_atelier_v1_TagInput)[];
}

export interface ListTagsReply {
  'tags': (_atelier_v1_Tag)[];
}
