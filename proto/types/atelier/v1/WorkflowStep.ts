// Original file: atelier/v1/workflows.proto

import type { OutputInput as _atelier_v1_OutputInput, Output as _atelier_v1_Output } from '../../atelier/v1/Output.ts';
import type { JobErrorInput as _atelier_v1_JobErrorInput, JobError as _atelier_v1_JobError } from '../../atelier/v1/JobError.ts';
import type { Long } from '@grpc/proto-loader';

export interface WorkflowStepInput {
  'id'?: (string);
  'job_id'?: (string);
  /**
   * Of its job.
   */
  'state'?: (string);
  'modality'?: (string);
  'model_slug'?: (string);
  /**
   * The steps that come before it.
   */
  'needs'?: (string)[];
  /**
   * Those of them that have not completed yet.
   */
  'waits_for'?: (string)[];
  'credits_reserved'?: (number | string | Long);
  'credits_charged'?: (number | string | Long);
  /**
   * The part that is done, 0 to 1, as far as its provider tells.
   */
  'progress'?: (number | string);
  'started_at'?: (string);
  'ended_at'?: (string);
  'outputs'?: (_atelier_v1_OutputInput)[];
  'error'?: (_atelier_v1_JobErrorInput | null);
  '_progress'?: "progress";
  '_started_at'?: "started_at";
  '_ended_at'?: "ended_at";
}

export interface WorkflowStep {
  'id': (string);
  'job_id': (string);
  /**
   * Of its job.
   */
  'state': (string);
  'modality': (string);
  'model_slug': (string);
  /**
   * The steps that come before it.
   */
  'needs': (string)[];
  /**
   * Those of them that have not completed yet.
   */
  'waits_for': (string)[];
  'credits_reserved': (number);
  'credits_charged': (number);
  /**
   * The part that is done, 0 to 1, as far as its provider tells.
   */
  'progress'?: (number);
  'started_at'?: (string);
  'ended_at'?: (string);
  'outputs': (_atelier_v1_Output)[];
  'error': (_atelier_v1_JobError | null);
}
