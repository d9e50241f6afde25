// Original file: atelier/v1/memberships.proto


export interface TierInput {
  'tier'?: (string);
  'name'?: (string);
  /**
   * Whether it includes the member tools.
   */
  'member_tools'?: (boolean);
  /**
   * Whether plus_only products can be bought with it.
   */
  'plus_products'?: (boolean);
}

export interface Tier {
  'tier': (string);
  'name': (string);
  /**
   * Whether it includes the member tools.
   */
  'member_tools': (boolean);
  /**
   * Whether plus_only products can be bought with it.
   */
  'plus_products': (boolean);
}
