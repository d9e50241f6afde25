// Original file: atelier/v1/admin.proto


export interface ProviderInput {
  'provider'?: (string);
  'configured'?: (boolean);
  'paused'?: (boolean);
  /**
   * Calls that may be under way at a time, for all workers together; absent: no limit.
   */
  'max_calls'?: (number);
  /**
   * Calls that may begin in any minute; absent: no limit.
   */
  'max_calls_per_minute'?: (number);
  /**
   * Under way, and begun in the last minute; absent where there is no limit.
   */
  'calls'?: (number);
  'calls_last_minute'?: (number);
  'jobs_waiting'?: (number);
  '_max_calls'?: "max_calls";
  '_max_calls_per_minute'?: "max_calls_per_minute";
  '_calls'?: "calls";
  '_calls_last_minute'?: "calls_last_minute";
}

export interface Provider {
  'provider': (string);
  'configured': (boolean);
  'paused': (boolean);
  /**
   * Calls that may be under way at a time, for all workers together; absent: no limit.
   */
  'max_calls'?: (number);
  /**
   * Calls that may begin in any minute; absent: no limit.
   */
  'max_calls_per_minute'?: (number);
  /**
   * Under way, and begun in the last minute; absent where there is no limit.
   */
  'calls'?: (number);
  'calls_last_minute'?: (number);
  'jobs_waiting': (number);
}
