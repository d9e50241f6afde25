// Original file: atelier/v1/admin.proto


export interface PlanBulkRequestInput {
  /**
   * cancel, refund or retry, of jobs; redeliver or give_up, of callbacks that did not arrive.
   */
  'act'?: (string);
  /**
   * Ids of jobs, or of deliveries; empty: all that fit what follows. Named ones are taken whatever their state, unless one is named.
   */
  'ids'?: (string)[];
  /**
   * Id or e-mail address.
   */
  'account'?: (string);
  /**
   * As stored, with commas between them; empty: reserved and running to cancel, completed to refund, failed to retry.
   */
  'state'?: (string);
  'model'?: (string);
  /**
   * Who made it, or was to make it.
   */
  'provider'?: (string);
  /**
   * The error code of failed ones.
   */
  'code'?: (string);
  /**
   * Bounds of created_at, RFC 3339; `since` is included, `until` is not.
   */
  'since'?: (string);
  'until'?: (string);
  /**
   * The receiver, as https://example.com. Of deliveries only, which take ids, account, host, since and until (of their jobs).
   */
  'host'?: (string);
}

export interface PlanBulkRequest {
  /**
   * cancel, refund or retry, of jobs; redeliver or give_up, of callbacks that did not arrive.
   */
  'act': (string);
  /**
   * Ids of jobs, or of deliveries; empty: all that fit what follows. Named ones are taken whatever their state, unless one is named.
   */
  'ids': (string)[];
  /**
   * Id or e-mail address.
   */
  'account': (string);
  /**
   * As stored, with commas between them; empty: reserved and running to cancel, completed to refund, failed to retry.
   */
  'state': (string);
  'model': (string);
  /**
   * Who made it, or was to make it.
   */
  'provider': (string);
  /**
   * The error code of failed ones.
   */
  'code': (string);
  /**
   * Bounds of created_at, RFC 3339; `since` is included, `until` is not.
   */
  'since': (string);
  'until': (string);
  /**
   * The receiver, as https://example.com. Of deliveries only, which take ids, account, host, since and until (of their jobs).
   */
  'host': (string);
}
