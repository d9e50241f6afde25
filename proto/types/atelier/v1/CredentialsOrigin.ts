// Original file: atelier/v1/jobs.proto


export interface CredentialsOriginInput {
  'job_id'?: (string);
  'model_slug'?: (string);
  'output_index'?: (number);
  'ledger_entry_id'?: (string);
  'ledger_entry_hash'?: (string);
  '_ledger_entry_id'?: "ledger_entry_id";
  '_ledger_entry_hash'?: "ledger_entry_hash";
}

export interface CredentialsOrigin {
  'job_id': (string);
  'model_slug': (string);
  'output_index': (number);
  'ledger_entry_id'?: (string);
  'ledger_entry_hash'?: (string);
}
