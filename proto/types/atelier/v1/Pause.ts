// Original file: atelier/v1/admin.proto


export interface PauseInput {
  /**
   * queue, model or provider.
   */
  'kind'?: (string);
  /**
   * The slug or the provider's name; empty for the queue.
   */
  'name'?: (string);
  /**
   * What that stops, in words.
   */
  'effect'?: (string);
  /**
   * Who asked for it last, when, and why; empty where the audit trail does not say.
   */
  'at'?: (string);
  'operator'?: (string);
  'reason'?: (string);
}

export interface Pause {
  /**
   * queue, model or provider.
   */
  'kind': (string);
  /**
   * The slug or the provider's name; empty for the queue.
   */
  'name': (string);
  /**
   * What that stops, in words.
   */
  'effect': (string);
  /**
   * Who asked for it last, when, and why; empty where the audit trail does not say.
   */
  'at': (string);
  'operator': (string);
  'reason': (string);
}
