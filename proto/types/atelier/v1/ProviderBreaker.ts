// Original file: atelier/v1/admin.proto


export interface ProviderBreakerInput {
  /**
   * The provider's own name of the model.
   */
  'model'?: (string);
  /**
   * closed, open or half_open.
   */
  'state'?: (string);
  /**
   * How often it has opened since it was last closed.
   */
  'openings'?: (number);
  /**
   * While it is open: when it is tried again.
   */
  'until'?: (string);
  /**
   * While it is closed: calls of the last minute that failed.
   */
  'failed'?: (number);
  '_until'?: "until";
}

export interface ProviderBreaker {
  /**
   * The provider's own name of the model.
   */
  'model': (string);
  /**
   * closed, open or half_open.
   */
  'state': (string);
  /**
   * How often it has opened since it was last closed.
   */
  'openings': (number);
  /**
   * While it is open: when it is tried again.
   */
  'until'?: (string);
  /**
   * While it is closed: calls of the last minute that failed.
   */
  'failed': (number);
}
