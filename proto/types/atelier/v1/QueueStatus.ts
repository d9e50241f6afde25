// Original file: atelier/v1/admin.proto


export interface QueueStatusInput {
  /**
   * open; paused: nothing starts; or closed: nothing starts, and new requests are refused.
   */
  'state'?: (string);
  /**
   * Absent while it is open. RFC 3339.
   */
  'since'?: (string);
  /**
   * Counted up to 100,000, like `running`.
   */
  'waiting'?: (number);
  'running'?: (number);
  /**
   * 0 where none waits.
   */
  'oldest_waiting_seconds'?: (number | string);
  '_since'?: "since";
}

export interface QueueStatus {
  /**
   * open; paused: nothing starts; or closed: nothing starts, and new requests are refused.
   */
  'state': (string);
  /**
   * Absent while it is open. RFC 3339.
   */
  'since'?: (string);
  /**
   * Counted up to 100,000, like `running`.
   */
  'waiting': (number);
  'running': (number);
  /**
   * 0 where none waits.
   */
  'oldest_waiting_seconds': (number);
}
