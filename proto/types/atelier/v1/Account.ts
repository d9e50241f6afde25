// Original file: atelier/v1/admin.proto

import type { BalanceInput as _atelier_v1_BalanceInput, Balance as _atelier_v1_Balance } from '../../atelier/v1/Balance.ts';

export interface AccountInput {
  'account_id'?: (string);
  'email'?: (string);
  'name'?: (string);
  'plan'?: (string);
  /**
   * active or suspended.
   */
  'status'?: (string);
  'credits'?: (_atelier_v1_BalanceInput | null);
  'created_at'?: (string);
  /**
   * Why the free plan's credits do not come: held (for a first purchase or an approval) or elsewhere (another account of the mailbox has
   * them). Empty where they come.
   */
  'welcome_credits'?: (string);
}

export interface Account {
  'account_id': (string);
  'email': (string);
  'name': (string);
  'plan': (string);
  /**
   * active or suspended.
   */
  'status': (string);
  'credits': (_atelier_v1_Balance | null);
  'created_at': (string);
  /**
   * Why the free plan's credits do not come: held (for a first purchase or an approval) or elsewhere (another account of the mailbox has
   * them). Empty where they come.
   */
  'welcome_credits': (string);
}
