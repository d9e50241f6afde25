// The parts of the public log that processes need.
import { toMessage } from "../../../proto/codec.ts";
import { logProofSchema, solvencyProofSchema } from "../../../proto/resources/log-proof.ts";
import type { Slice } from "../../kernel/slice.ts";
import { authenticate } from "../accounts/authenticate.ts";
import { askWitnesses } from "./ask-witnesses.ts";
import { buildSolvency } from "./build-solvency.ts";
import {
  currentLog,
  listWitnesses,
  proveAccount,
  readCheckpoint,
  readStatements,
  readTile,
} from "./read-log.ts";
import { SOLVENCY_COLLECTIONS } from "./store-solvency.ts";
import { WITNESS_COLLECTIONS } from "./store-witnesses.ts";
import { eraseHeads, LOG_COLLECTIONS } from "./store.ts";
import { writeLog } from "./write-log.ts";

const LOOK_EVERY_MS = 5_000;
const ASK_EVERY_MS = 2_000;
const LOOK_FOR_DAY_MS = 60_000;

export const logSlice: Slice = {
  name: "identity/log",
  collections: [...LOG_COLLECTIONS, ...SOLVENCY_COLLECTIONS, ...WITNESS_COLLECTIONS],
  serve: (app) => ({
    Credits: {
      GetLogProof: async (_request, { caller }) => {
        const { account } = await authenticate(app, caller, "read");
        const { proof, solvency } = await proveAccount(app, account._id);
        return {
          ...(proof && { proof: toMessage(logProofSchema, proof) }),
          ...(solvency && { solvency: toMessage(solvencyProofSchema, solvency) }),
        };
      },
    },
    Proof: {
      GetCheckpoint: async () => ({ note: await readCheckpoint(app) }),
      ListStatements: async () => ({ statements: await readStatements(app) }),
      GetLogTile: async (request) => ({ data: await readTile(app, request) }),
    },
  }),
  observe: (app) => {
    app.metrics.gauge(
      "log_checkpoint_entries",
      "Entries of the log that its newest checkpoint covers.",
      async () => (await currentLog(app))?.checkpoint?.size ?? 0,
    );
    app.metrics.gauges(
      "log_witness_entries",
      "Entries of the newest checkpoint that each witness has cosigned.",
      ["witness"],
      async () =>
        (await listWitnesses(app)).map(({ name, doc }) => ({
          labels: { witness: name },
          value: doc?.cosigned?.size ?? 0,
        })),
    );
  },
  owned: {
    export: {
      parts: async (app, accountId) => {
        const { proof = null, solvency = null } = await proveAccount(app, accountId);
        return { log_proof: proof, solvency_proof: solvency };
      },
    },
    erase: {
      afterClosing: ({ mongo }, accountId) => eraseHeads(mongo.db, accountId),
    },
  },
  loops: [
    { what: "write the log", everyMs: LOOK_EVERY_MS, step: writeLog },
    {
      what: "ask the witnesses of the log",
      everyMs: ASK_EVERY_MS,
      when: ({ config }) => config.logWitnesses.length > 0,
      step: async (app, signal) => askWitnesses(app, signal),
    },
    { what: "build the tree of all balances", everyMs: LOOK_FOR_DAY_MS, step: buildSolvency },
  ],
};
