// Original file: atelier/v1/jobs.proto

import type { JobEventInput as _atelier_v1_JobEventInput, JobEvent as _atelier_v1_JobEvent } from '../../atelier/v1/JobEvent.ts';
import type { OutputInput as _atelier_v1_OutputInput, Output as _atelier_v1_Output } from '../../atelier/v1/Output.ts';
import type { JobErrorInput as _atelier_v1_JobErrorInput, JobError as _atelier_v1_JobError } from '../../atelier/v1/JobError.ts';
import type { JobCallbackInput as _atelier_v1_JobCallbackInput, JobCallback as _atelier_v1_JobCallback } from '../../atelier/v1/JobCallback.ts';
import type { Long } from '@grpc/proto-loader';

export interface JobInput {
  'job_id'?: (string);
  'state'?: (string);
  'modality'?: (string);
  'model_slug'?: (string);
  'prompt'?: (string);
  'params_json'?: (string);
  'metadata'?: ({[key: string]: string});
  'source'?: (string);
  'credits_reserved'?: (number | string | Long);
  'credits_charged'?: (number | string | Long);
  'estimated_seconds'?: (number | string);
  /**
   * 1 means next of this account; only while reserved.
   */
  'queue_position'?: (number);
  'created_at'?: (string);
  'started_at'?: (string);
  'ended_at'?: (string);
  'events'?: (_atelier_v1_JobEventInput)[];
  'outputs'?: (_atelier_v1_OutputInput)[];
  'error'?: (_atelier_v1_JobErrorInput | null);
  'callback'?: (_atelier_v1_JobCallbackInput | null);
  /**
   * Grows with every event; basis of the ETag.
   */
  'version'?: (number | string | Long);
  /**
   * It waits, or runs at a provider that can stop, and nobody has asked for that yet.
   */
  'cancellable'?: (boolean);
  /**
   * The workflow of which it is a step. Absent where it is none.
   */
  'workflow_id'?: (string);
  '_queue_position'?: "queue_position";
  '_started_at'?: "started_at";
  '_ended_at'?: "ended_at";
  '_workflow_id'?: "workflow_id";
}

export interface Job {
  'job_id': (string);
  'state': (string);
  'modality': (string);
  'model_slug': (string);
  'prompt': (string);
  'params_json': (string);
  'metadata': ({[key: string]: string});
  'source': (string);
  'credits_reserved': (number);
  'credits_charged': (number);
  'estimated_seconds': (number);
  /**
   * 1 means next of this account; only while reserved.
   */
  'queue_position'?: (number);
  'created_at': (string);
  'started_at'?: (string);
  'ended_at'?: (string);
  'events': (_atelier_v1_JobEvent)[];
  'outputs': (_atelier_v1_Output)[];
  'error': (_atelier_v1_JobError | null);
  'callback': (_atelier_v1_JobCallback | null);
  /**
   * Grows with every event; basis of the ETag.
   */
  'version': (number);
  /**
   * It waits, or runs at a provider that can stop, and nobody has asked for that yet.
   */
  'cancellable': (boolean);
  /**
   * The workflow of which it is a step. Absent where it is none.
   */
  'workflow_id'?: (string);
}
