// Original file: atelier/v1/jobs.proto


/**
 * Words of a prompt.
 */
export interface UnderstoodInput {
  'drawn'?: (string)[];
  'not_drawn'?: (string)[];
}

/**
 * Words of a prompt.
 */
export interface Understood {
  'drawn': (string)[];
  'not_drawn': (string)[];
}
