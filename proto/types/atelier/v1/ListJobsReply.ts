// Original file: atelier/v1/jobs.proto

import type { JobInput as _atelier_v1_JobInput, Job as _atelier_v1_Job } from '../../atelier/v1/Job.ts';

export interface ListJobsReplyInput {
  'jobs'?: (_atelier_v1_JobInput)[];
  /**
   * Empty on the last page.
   */
  'next_cursor'?: (string);
}

export interface ListJobsReply {
  'jobs': (_atelier_v1_Job)[];
  /**
   * Empty on the last page.
   */
  'next_cursor': (string);
}
