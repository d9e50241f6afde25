// Original file: atelier/v1/admin.proto

import type { FailedMailInput as _atelier_v1_FailedMailInput, FailedMail as _atelier_v1_FailedMail } from '../../atelier/v1/FailedMail.ts';

export interface ListFailedMailsReplyInput {
  'mails'?: (_atelier_v1_FailedMailInput)[];
}

export interface ListFailedMailsReply {
  'mails': (_atelier_v1_FailedMail)[];
}
