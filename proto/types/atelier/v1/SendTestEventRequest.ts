// Original file: atelier/v1/callbacks.proto


export interface SendTestEventRequestInput {
  'callback_url'?: (string);
}

export interface SendTestEventRequest {
  'callback_url': (string);
}
