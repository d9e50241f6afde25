// Original file: atelier/v1/jobs.proto


export interface TakeProviderWebhookRequestInput {
  'provider'?: (string);
  /**
   * Of the address: what the call is for, and our signature of that.
   */
  'account'?: (string);
  'job'?: (string);
  'signature'?: (string);
  'body'?: (Buffer | Uint8Array | string);
  /**
   * By lower-case name.
   */
  'headers'?: ({[key: string]: string});
}

export interface TakeProviderWebhookRequest {
  'provider': (string);
  /**
   * Of the address: what the call is for, and our signature of that.
   */
  'account': (string);
  'job': (string);
  'signature': (string);
  'body': (Buffer);
  /**
   * By lower-case name.
   */
  'headers': ({[key: string]: string});
}
