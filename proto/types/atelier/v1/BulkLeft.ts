// Original file: atelier/v1/admin.proto


/**
 * How many were left alone for one reason.
 */
export interface BulkLeftInput {
  'why'?: (string);
  /**
   * In words that follow a number of jobs.
   */
  'words'?: (string);
  'count'?: (number);
}

/**
 * How many were left alone for one reason.
 */
export interface BulkLeft {
  'why': (string);
  /**
   * In words that follow a number of jobs.
   */
  'words': (string);
  'count': (number);
}
