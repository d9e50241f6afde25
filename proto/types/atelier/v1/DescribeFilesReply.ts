// Original file: atelier/v1/library.proto

import type { FileFactsInput as _atelier_v1_FileFactsInput, FileFacts as _atelier_v1_FileFacts } from '../../atelier/v1/FileFacts.ts';

export interface DescribeFilesReplyInput {
  'files'?: (_atelier_v1_FileFactsInput)[];
}

export interface DescribeFilesReply {
  'files': (_atelier_v1_FileFacts)[];
}
