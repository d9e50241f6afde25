// Original file: atelier/v1/admin.proto


export interface FoundInput {
  /**
   * account, key, member key, job, order, licence, ticket, delivery, subscription, ledger entry, bulk, product, model, provider or operator's act.
   */
  'kind'?: (string);
  'id'?: (string);
  /**
   * Whose it is; empty where it is nobody's.
   */
  'account_id'?: (string);
  /**
   * The thing in a line.
   */
  'what'?: (string);
  /**
   * The job that it is about; empty where it is about none.
   */
  'job_id'?: (string);
}

export interface Found {
  /**
   * account, key, member key, job, order, licence, ticket, delivery, subscription, ledger entry, bulk, product, model, provider or operator's act.
   */
  'kind': (string);
  'id': (string);
  /**
   * Whose it is; empty where it is nobody's.
   */
  'account_id': (string);
  /**
   * The thing in a line.
   */
  'what': (string);
  /**
   * The job that it is about; empty where it is about none.
   */
  'job_id': (string);
}
