// Original file: atelier/v1/sessions.proto


export interface EmailChangeInput {
  /**
   * Waits to be confirmed from its mailbox until then.
   */
  'wanted_email'?: (string);
  'wanted_until'?: (string);
  /**
   * The address before the present one; from its mailbox that can be undone until then.
   */
  'previous_email'?: (string);
  'changed_at'?: (string);
  'undo_until'?: (string);
  '_wanted_email'?: "wanted_email";
  '_wanted_until'?: "wanted_until";
  '_previous_email'?: "previous_email";
  '_changed_at'?: "changed_at";
  '_undo_until'?: "undo_until";
}

export interface EmailChange {
  /**
   * Waits to be confirmed from its mailbox until then.
   */
  'wanted_email'?: (string);
  'wanted_until'?: (string);
  /**
   * The address before the present one; from its mailbox that can be undone until then.
   */
  'previous_email'?: (string);
  'changed_at'?: (string);
  'undo_until'?: (string);
}
