// Original file: atelier/v1/subscriptions.proto


export interface PortalInput {
  /**
   * Empty where the provider has none.
   */
  'url'?: (string);
}

export interface Portal {
  /**
   * Empty where the provider has none.
   */
  'url': (string);
}
