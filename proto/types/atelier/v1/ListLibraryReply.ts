// Original file: atelier/v1/library.proto

import type { LibraryLicenceInput as _atelier_v1_LibraryLicenceInput, LibraryLicence as _atelier_v1_LibraryLicence } from '../../atelier/v1/LibraryLicence.ts';

export interface ListLibraryReplyInput {
  'licences'?: (_atelier_v1_LibraryLicenceInput)[];
  /**
   * Empty on the last page.
   */
  'next_cursor'?: (string);
}

export interface ListLibraryReply {
  'licences': (_atelier_v1_LibraryLicence)[];
  /**
   * Empty on the last page.
   */
  'next_cursor': (string);
}
