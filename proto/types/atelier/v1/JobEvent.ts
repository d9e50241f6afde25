// Original file: atelier/v1/jobs.proto


export interface JobEventInput {
  'seq'?: (number);
  'type'?: (string);
  'state'?: (string);
  'at'?: (string);
  'ledger_entry_id'?: (string);
  /**
   * A JSON object. Empty means {}.
   */
  'detail_json'?: (string);
  '_ledger_entry_id'?: "ledger_entry_id";
}

export interface JobEvent {
  'seq': (number);
  'type': (string);
  'state': (string);
  'at': (string);
  'ledger_entry_id'?: (string);
  /**
   * A JSON object. Empty means {}.
   */
  'detail_json': (string);
}
