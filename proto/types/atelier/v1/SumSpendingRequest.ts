// Original file: atelier/v1/jobs.proto


export interface SumSpendingRequestInput {
  /**
   * 1..90; today, in UTC, is the last one.
   */
  'days'?: (number);
}

export interface SumSpendingRequest {
  /**
   * 1..90; today, in UTC, is the last one.
   */
  'days': (number);
}
