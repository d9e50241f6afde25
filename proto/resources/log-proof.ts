// The proofs that a ledger is in the public log (RFC 6962), and its balance in the total of all.
import { z } from "zod";

export const logProofSchema = z
  .object({
    origin: z.string().describe("The log, as the first line of its checkpoints names it."),
    account_id: z.string(),
    seq: z.number().int().describe("The newest ledger entry that is in the log."),
    hash: z.string().describe("The hash of this entry."),
    salt: z
      .string()
      .describe(
        "32 bytes in hex, known to you alone. The log's entry is SHA-256 of the salt, account_id, seq (64 bits, big-endian) and hash.",
      ),
    index: z.number().int().describe("The place of this entry in the log, from 0."),
    path: z.array(z.string()).describe("The audit path (RFC 6962, section 2.1.1), the lowest hash first."),
    checkpoint: z
      .string()
      .describe("The signed checkpoint that the path leads to (c2sp.org/tlog-checkpoint)."),
  })
  .meta({ id: "LogProof" });

export type LogProofResource = z.output<typeof logProofSchema>;

export const solvencyProofSchema = z
  .object({
    account_id: z.string(),
    seq: z
      .number()
      .int()
      .describe("The newest ledger entry at the time of the statement; 0 if there was none."),
    balance: z.number().int().describe("The balance after this entry, with what was held."),
    salt: z
      .string()
      .describe(
        "32 bytes in hex, known to you alone. A leaf's hash is SHA-256 of the byte 0, the salt, account_id, seq and balance (64 bits each, big-endian).",
      ),
    index: z.number().int().describe("The place of this leaf in the tree, from 0."),
    path: z
      .array(z.string())
      .describe(
        "The siblings of the nodes up to the root, in hex: the sum (64 bits, big-endian) and the hash, which is SHA-256 of the byte 1 and both children.",
      ),
    statement: z
      .string()
      .describe("Six lines: atelier-solvency, the log, the time, accounts, total and the root in base64."),
    log_index: z
      .number()
      .int()
      .describe(
        "The place of the statement's entry in the log: solvency, and 24 bytes of the statement's SHA-256.",
      ),
    log_path: z.array(z.string()).describe("The audit path of this entry, the lowest hash first."),
    checkpoint: z.string().describe("The signed checkpoint that log_path leads to."),
  })
  .meta({ id: "SolvencyProof" });

export type SolvencyProofResource = z.output<typeof solvencyProofSchema>;
