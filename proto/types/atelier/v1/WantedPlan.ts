// Original file: atelier/v1/orders.proto


/**
 * Paid by the month, until it is cancelled.
 */
export interface WantedPlanInput {
  'plan'?: (string);
}

/**
 * Paid by the month, until it is cancelled.
 */
export interface WantedPlan {
  'plan': (string);
}
