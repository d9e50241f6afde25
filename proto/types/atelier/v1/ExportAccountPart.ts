// Original file: atelier/v1/accounts.proto


export interface ExportAccountPartInput {
  /**
   * The next piece of one JSON document in UTF-8.
   */
  'json'?: (Buffer | Uint8Array | string);
}

export interface ExportAccountPart {
  /**
   * The next piece of one JSON document in UTF-8.
   */
  'json': (Buffer);
}
