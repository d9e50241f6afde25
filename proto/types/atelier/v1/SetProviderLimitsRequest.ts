// Original file: atelier/v1/admin.proto


export interface SetProviderLimitsRequestInput {
  'provider'?: (string);
  /**
   * 0 takes the limit away; absent: it stays as it is.
   */
  'max_calls'?: (number);
  'max_calls_per_minute'?: (number);
  '_max_calls'?: "max_calls";
  '_max_calls_per_minute'?: "max_calls_per_minute";
}

export interface SetProviderLimitsRequest {
  'provider': (string);
  /**
   * 0 takes the limit away; absent: it stays as it is.
   */
  'max_calls'?: (number);
  'max_calls_per_minute'?: (number);
}
