// Original file: atelier/v1/memberships.proto

import type { LicenceInput as _atelier_v1_LicenceInput, Licence as _atelier_v1_Licence } from '../../atelier/v1/Licence.ts';

export interface ListLicencesReplyInput {
  'licences'?: (_atelier_v1_LicenceInput)[];
  /**
   * Empty on the last page.
   */
  'next_cursor'?: (string);
}

export interface ListLicencesReply {
  'licences': (_atelier_v1_Licence)[];
  /**
   * Empty on the last page.
   */
  'next_cursor': (string);
}
