// Original file: atelier/v1/admin.proto


export interface AuditFindingInput {
  'account_id'?: (string);
  'what'?: (string);
}

export interface AuditFinding {
  'account_id': (string);
  'what': (string);
}
