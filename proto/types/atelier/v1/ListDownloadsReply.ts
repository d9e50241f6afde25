// Original file: atelier/v1/library.proto

import type { DownloadInput as _atelier_v1_DownloadInput, Download as _atelier_v1_Download } from '../../atelier/v1/Download.ts';

export interface ListDownloadsReplyInput {
  'downloads'?: (_atelier_v1_DownloadInput)[];
  /**
   * Empty on the last page.
   */
  'next_cursor'?: (string);
}

export interface ListDownloadsReply {
  'downloads': (_atelier_v1_Download)[];
  /**
   * Empty on the last page.
   */
  'next_cursor': (string);
}
