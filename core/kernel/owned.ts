// A slice's data of accounts: how it is exported, and how it is erased when an account is deleted.
import type { Fields } from "../base/documents/fields.ts";
import type { TxContext } from "../base/mongo/in-tx.ts";

/** An account that its owner deletes. */
export type DeletedAccount = {
  readonly accountId: string;
  /** The account's address, and its earlier addresses. Empty once they are forgotten. */
  readonly emails: readonly string[];
};

export type ExportedPage = { readonly rows: readonly unknown[]; readonly nextCursor: string };
type ExportPage<App> = (
  app: App,
  accountId: string,
  page: { readonly limit: number; readonly cursor: string },
) => Promise<ExportedPage>;

export type Owned<App> = {
  /** The classes of the fields of its rows in the archive, by the kind of segment. */
  readonly archived?: Readonly<Record<string, Fields>>;
  readonly export?: {
    /** Parts of the export, by name, of which an account has few. */
    readonly parts?: (app: App, accountId: string) => Promise<Readonly<Record<string, unknown>>>;
    /** Parts of the export, by name, of which an account may have any number. They are read page by page. */
    readonly lists?: Readonly<Record<string, ExportPage<App>>>;
  };
  readonly erase?: {
    /**
     * Removes what must be gone with the account, in the transaction that closes it, and what late requests have written in each later sweep.
     */
    readonly closing?: (app: App, deleted: DeletedAccount, tx: TxContext) => Promise<void>;
    /** Erases what may take long, after that transaction. Safe to repeat. */
    readonly afterClosing?: (app: App, accountId: string) => Promise<void>;
    /** The same for work, which it cancels. Returns how much still runs. */
    readonly endWork?: (app: App, accountId: string) => Promise<number>;
    /**
     * Erases what work needs while it runs; called once nothing of the account runs. Safe to repeat. Returns false if it has to be called
     * again.
     */
    readonly onceIdle?: (app: App, accountId: string) => Promise<boolean>;
  };
};
