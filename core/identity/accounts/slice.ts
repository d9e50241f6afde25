// The parts of accounts that processes need.
import { shownFields } from "../../base/documents/fields.ts";
import type { Slice } from "../../kernel/slice.ts";
import { getAccount } from "./get-account.ts";
import { listKeys, listMemberKeys } from "./list-keys.ts";
import { seedPlans } from "./plans.ts";
import { accountsHandlers } from "./rpc.ts";
import { MAILBOX_COLLECTIONS } from "./store-mailboxes.ts";
import {
  ACCOUNT_COLLECTIONS,
  type AccountDoc,
  eraseAccountFields,
  KEY_FIELDS,
  type KeyDoc,
} from "./store.ts";

export const accountsSlice: Slice = {
  name: "identity/accounts",
  collections: [...ACCOUNT_COLLECTIONS, ...MAILBOX_COLLECTIONS],
  seed: seedPlans,
  serve: (app) => ({ Accounts: accountsHandlers(app) }),
  owned: {
    export: {
      parts: async (app, accountId) => {
        const account = await getAccount(app, accountId);
        return {
          account: exportedAccount(account),
          membership: account.membership ?? null,
          keys: (await listKeys(app, accountId)).map(exportedKey),
          member_keys: (await listMemberKeys(app, accountId)).map(exportedKey),
        };
      },
    },
    erase: {
      /** The remains of an account that an earlier release closed. */
      afterClosing: ({ mongo }, accountId) => eraseAccountFields(mongo.db, accountId),
    },
  },
};

function exportedAccount({
  _id,
  email,
  name,
  plan,
  status,
  created_at,
  balance,
  held,
  expiring = [],
  low,
  time_zone,
  billing,
  trial,
}: AccountDoc): object {
  const credits = { balance, held, expiring, low_below: low?.below ?? null };
  return {
    account_id: _id,
    email,
    name,
    plan,
    status,
    time_zone: time_zone ?? null,
    billing: billing ?? null,
    trial: trial ?? null,
    created_at,
    credits,
  };
}

function exportedKey(key: KeyDoc): object {
  return shownFields(key, KEY_FIELDS);
}
