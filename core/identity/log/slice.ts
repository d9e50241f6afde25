// The parts of the public log that processes need.
import { toMessage } from "../../../proto/codec.ts";
import { logProofSchema } from "../../../proto/resources/log-proof.ts";
import type { Slice } from "../../kernel/slice.ts";
import { authenticate } from "../accounts/authenticate.ts";
import { currentLog, proveHead, readCheckpoint, readTile } from "./read-log.ts";
import { eraseHeads, LOG_COLLECTIONS } from "./store.ts";
import { writeLog } from "./write-log.ts";

const LOOK_EVERY_MS = 5_000;

export const logSlice: Slice = {
  name: "identity/log",
  collections: LOG_COLLECTIONS,
  serve: (app) => ({
    Credits: {
      GetLogProof: async (_request, { caller }) => {
        const { account } = await authenticate(app, caller, "read");
        const proof = await proveHead(app, account._id);
        return proof ? { proof: toMessage(logProofSchema, proof) } : {};
      },
    },
    Proof: {
      GetCheckpoint: async () => ({ note: await readCheckpoint(app) }),
      GetLogTile: async (request) => ({ data: await readTile(app, request) }),
    },
  }),
  observe: (app) =>
    app.metrics.gauge(
      "log_checkpoint_entries",
      "Entries of the log that its newest checkpoint covers.",
      async () => (await currentLog(app))?.checkpoint?.size ?? 0,
    ),
  owned: {
    export: {
      parts: async (app, accountId) => ({ log_proof: (await proveHead(app, accountId)) ?? null }),
    },
    erase: {
      afterClosing: async ({ mongo }, accountId) => {
        await eraseHeads(mongo.db, accountId);
        return 0;
      },
    },
  },
  loops: [{ what: "write the log", everyMs: LOOK_EVERY_MS, step: writeLog }],
};
