// Original file: atelier/v1/admin.proto

import type { AccountInput as _atelier_v1_AccountInput, Account as _atelier_v1_Account } from '../../atelier/v1/Account.ts';

export interface ListAccountsReplyInput {
  'accounts'?: (_atelier_v1_AccountInput)[];
  /**
   * Empty on the last page.
   */
  'next_cursor'?: (string);
}

export interface ListAccountsReply {
  'accounts': (_atelier_v1_Account)[];
  /**
   * Empty on the last page.
   */
  'next_cursor': (string);
}
