// Original file: atelier/v1/admin.proto

import type { ProductFileInput as _atelier_v1_ProductFileInput, ProductFile as _atelier_v1_ProductFile } from '../../atelier/v1/ProductFile.ts';

export interface ListProductFilesReplyInput {
  'files'?: (_atelier_v1_ProductFileInput)[];
}

export interface ListProductFilesReply {
  'files': (_atelier_v1_ProductFile)[];
}
