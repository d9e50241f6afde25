// Original file: atelier/v1/sessions.proto

import type { SessionInput as _atelier_v1_SessionInput, Session as _atelier_v1_Session } from '../../atelier/v1/Session.ts';
import type { PersonInput as _atelier_v1_PersonInput, Person as _atelier_v1_Person } from '../../atelier/v1/Person.ts';

export interface SignedInInput {
  'session'?: (_atelier_v1_SessionInput | null);
  'person'?: (_atelier_v1_PersonInput | null);
  /**
   * Nobody signed in to this account by such a browser in this network lately: its owner should be told.
   */
  'new_browser'?: (boolean);
}

export interface SignedIn {
  'session': (_atelier_v1_Session | null);
  'person': (_atelier_v1_Person | null);
  /**
   * Nobody signed in to this account by such a browser in this network lately: its owner should be told.
   */
  'new_browser': (boolean);
}
