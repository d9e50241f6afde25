// Original file: atelier/v1/workflows.proto

import type { Long } from '@grpc/proto-loader';

export interface WorkflowStepReplyInput {
  'id'?: (string);
  'job_id'?: (string);
  'needs'?: (string)[];
  'credits_reserved'?: (number | string | Long);
}

export interface WorkflowStepReply {
  'id': (string);
  'job_id': (string);
  'needs': (string)[];
  'credits_reserved': (number);
}
