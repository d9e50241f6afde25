// Original file: atelier/v1/jobs.proto

import type { JobInput as _atelier_v1_JobInput, Job as _atelier_v1_Job } from '../../atelier/v1/Job.ts';

export interface ListJobsReplyInput {
  /**
   * May be fewer than limit, even none, on a page that is not the last: a page reads 5,000 jobs at most.
   */
  'jobs'?: (_atelier_v1_JobInput)[];
  /**
   * Where reading stopped. Empty on the last page.
   */
  'next_cursor'?: (string);
  /**
   * When the last job that was looked at was made, where reading stopped before all were through.
   */
  'looked_back_to'?: (string);
  '_looked_back_to'?: "looked_back_to";
}

export interface ListJobsReply {
  /**
   * May be fewer than limit, even none, on a page that is not the last: a page reads 5,000 jobs at most.
   */
  'jobs': (_atelier_v1_Job)[];
  /**
   * Where reading stopped. Empty on the last page.
   */
  'next_cursor': (string);
  /**
   * When the last job that was looked at was made, where reading stopped before all were through.
   */
  'looked_back_to'?: (string);
}
