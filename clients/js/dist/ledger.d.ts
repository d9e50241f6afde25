import type { LedgerEntry } from "./resources.js";
export type LedgerProof = {
    readonly ok: true;
    readonly entries: number;
    readonly lastHash: string;
}
/** `seq`: the first entry that does not hold. */
 | {
    readonly ok: false;
    readonly seq: number;
};
/** Checks all entries of an account, oldest first: hashes, order and sums. */
export declare function checkLedger(entries: AsyncIterable<LedgerEntry> | Iterable<LedgerEntry>): Promise<LedgerProof>;
