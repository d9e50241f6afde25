// Original file: atelier/v1/jobs.proto


export interface StudioStateInput {
  'live_models'?: (number);
  /**
   * By themselves, or because nobody may call their provider.
   */
  'paused_models'?: (number);
  /**
   * How long the job that waits longest has waited; 0 when none does.
   */
  'longest_wait_seconds'?: (number | string);
}

export interface StudioState {
  'live_models': (number);
  /**
   * By themselves, or because nobody may call their provider.
   */
  'paused_models': (number);
  /**
   * How long the job that waits longest has waited; 0 when none does.
   */
  'longest_wait_seconds': (number);
}
