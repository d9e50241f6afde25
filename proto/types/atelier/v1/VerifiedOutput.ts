// Original file: atelier/v1/jobs.proto


export interface VerifiedOutputInput {
  'made'?: (boolean);
  'made_at'?: (string);
  'modality'?: (string);
  'model_slug'?: (string);
  'ledger_entry_hash'?: (string);
  '_made_at'?: "made_at";
  '_modality'?: "modality";
  '_model_slug'?: "model_slug";
  '_ledger_entry_hash'?: "ledger_entry_hash";
}

export interface VerifiedOutput {
  'made': (boolean);
  'made_at'?: (string);
  'modality'?: (string);
  'model_slug'?: (string);
  'ledger_entry_hash'?: (string);
}
