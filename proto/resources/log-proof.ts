// The proof that a ledger is in the public log (RFC 6962).
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
