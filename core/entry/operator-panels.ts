// The panels of the operator's page for a process with data: first what needs attention, then providers, ledger and database.
import { STUCK } from "../../proto/resources/stuck.ts";
import { NOTE_KEY, verifierKeyOf } from "../../runtime/config/log-witnesses.ts";
import type { Cell, Panel } from "../../runtime/ops/panels.ts";
import { describeDatabase } from "../base/mongo/describe.ts";
import { createRecent } from "../base/mongo/recent.ts";
import { currentLog, listWitnesses } from "../identity/log/read-log.ts";
import type { App } from "../kernel/app.ts";
import { listPauses } from "../operations/admin/pauses.ts";
import { findStuck } from "../operations/admin/stuck.ts";
import { checkNewestEntries } from "../operations/audit/newest-entries.ts";
import { findMargin } from "../operations/margin/store.ts";
import { listTickets } from "../operations/tickets/read-tickets.ts";
import { listOrders } from "../shop/orders/list-orders.ts";
import { MICROS } from "../studio/costs/rules.ts";
import { failedLately } from "../studio/jobs/list.ts";
import { listProviders } from "../studio/limits/settings.ts";
import { countWaiting } from "../studio/runs/admit.ts";

const SHOWN = 10;
/** The results are shared by all viewers, however often the page refreshes. */
const MAX_AGE_MS = 5_000;
/** The lag behind the primary; more than this needs attention. */
const MAX_LAG_SECONDS = 10;

export function operatorPanels(app: App): Panel[] {
  return [
    stuck(app),
    paused(app),
    tickets(app),
    orders(app),
    failedJobs(app),
    providers(app),
    margin(app),
    ledger(app),
    log(app),
    witnesses(app),
    database(app),
  ].map(({ read, ...panel }) => ({ ...panel, read: createRecent(read, MAX_AGE_MS) }));
}

function paused(app: App): Panel {
  return {
    title: "Paused",
    empty: "Nothing is paused.",
    note: "To end one: npm run atelier -- queue resume, model resume MODEL, provider resume PROVIDER",
    read: async () => ({
      columns: ["What", "Since", "By", "Why"],
      rows: (await listPauses(app)).map(({ kind, name, effect, act }) => [
        { text: `${[kind, name].filter((part) => part !== "").join(" ")}: ${effect}`, tone: "bad" as const },
        time(act?.at),
        act?.operator || "–",
        act?.reason || "–",
      ]),
    }),
  };
}

function stuck(app: App): Panel {
  return {
    title: "Needs attention",
    empty: "Nothing needs attention.",
    note: "The same on the command line: npm run atelier -- stuck",
    read: async () => ({
      columns: ["How many", "What", "Look with"],
      rows: (await findStuck(app)).map(({ kind, count }) => [
        String(count),
        STUCK[kind].words,
        `npm run atelier -- ${STUCK[kind].command}`,
      ]),
    }),
  };
}

function providers(app: App): Panel {
  return {
    title: "Providers",
    empty: "This process has no provider.",
    note: "To change them: npm run atelier -- provider",
    read: async () => {
      const [all, waiting] = await Promise.all([listProviders(app), countWaiting(app)]);
      return {
        columns: ["Provider", "State", "Calls", "A minute", "Jobs waiting"],
        rows: all.map(({ provider, isPaused, maxCalls, maxCallsPerMinute, calls, callsLastMinute }) => [
          provider,
          isPaused
            ? { text: "paused", tone: "bad" as const }
            : { text: "open for calls", tone: "good" as const },
          limited(calls, maxCalls),
          limited(callsLastMinute, maxCallsPerMinute),
          String(waiting.get(provider) ?? 0),
        ]),
      };
    },
  };
}

function limited(used: number | undefined, most: number | undefined): string {
  return most === undefined ? "no limit" : `${used ?? 0} of ${most}`;
}

function database(app: App): Panel {
  return {
    title: "Database",
    empty: "This process may not ask for the state of its replica set.",
    read: async () => {
      const { version, members = [], connections } = await describeDatabase(app.mongo);
      const connected = connections
        ? `${connections.current} of ${connections.current + connections.available}`
        : "–";
      return {
        columns: ["Member", "State", "Behind", "Connections", "Version"],
        rows: members.map(({ name, state, isHealthy, lagSeconds }) => [
          name,
          {
            text: isHealthy ? state : `${state}, not reached`,
            tone: isHealthy ? ("good" as const) : ("bad" as const),
          },
          state === "primary" ? "–" : lag(lagSeconds),
          state === "primary" ? connected : "–",
          state === "primary" ? version : "–",
        ]),
      };
    },
  };
}

function lag(seconds: number | undefined) {
  if (seconds === undefined) return "–";
  const text = `${Math.round(seconds)} s`;
  return seconds > MAX_LAG_SECONDS ? { text, tone: "bad" as const } : text;
}

function ledger(app: App): Panel {
  return {
    title: "Ledger",
    empty: "There are no entries yet.",
    note: "The newest entries, their hashes and how they follow from each other. All of it: npm run atelier -- audit",
    read: async () => {
      const { entries, newest, wrong } = await checkNewestEntries(app);
      return {
        columns: ["Entries checked", "Newest", "Chain"],
        rows:
          entries === 0
            ? []
            : [
                [
                  String(entries),
                  time(newest),
                  wrong.length === 0
                    ? { text: "holds", tone: "good" as const }
                    : { text: `wrong: ${wrong.slice(0, SHOWN).join(", ")}`, tone: "bad" as const },
                ],
              ],
      };
    },
  };
}

function log(app: App): Panel {
  return {
    title: "Public log",
    empty: "There is no checkpoint yet.",
    note: "The newest checkpoint, as /log/checkpoint shows it. What contradicts it: npm run atelier -- audit",
    read: async () => {
      const { origin = "", checkpoint } = (await currentLog(app)) ?? {};
      const [key] = app.signingKeys.receipts;
      const verifierKey = key ? verifierKeyOf(origin, NOTE_KEY, Buffer.from(key.x, "base64url")) : "–";
      return {
        columns: ["Log", "Entries", "Checkpoint", "Verifier key, for witnesses"],
        rows: checkpoint ? [[origin, String(checkpoint.size), time(checkpoint.at), verifierKey]] : [],
      };
    },
  };
}

function witnesses(app: App): Panel {
  return {
    title: "Witnesses of the public log",
    empty: "No witness is set.",
    note: "What each cosigned last, and why not the newest checkpoint. The setting: ATELIER_LOG_WITNESSES",
    read: async () => ({
      columns: ["Witness", "Entries", "Cosigned", "At fault since", "State"],
      rows: (await listWitnesses(app)).map(({ name, doc }) => {
        const { cosigned, fault } = doc ?? {};
        const state = fault
          ? { text: fault.words, tone: "bad" as const }
          : { text: cosigned ? "cosigns" : "not asked yet", tone: "good" as const };
        return [name, String(cosigned?.size ?? "–"), time(cosigned?.at), time(fault?.since), state];
      }),
    }),
  };
}

function margin(app: App): Panel {
  return {
    title: "Margin of the month",
    empty: "No margin has been added up yet.",
    note: "By model, added up a few times a day; without expired grants. Now, and by provider, plan or account: npm run atelier -- margin",
    read: async () => {
      const { lines } = (await findMargin(app.mongo.db)) ?? {};
      return {
        columns: ["Model", "Jobs", "Captured", "Refunded", "Revenue", "Cost", "Margin", "Unexplained"],
        rows: (lines?.model ?? []).slice(0, SHOWN).map((line) => {
          const { revenueMicros, costMicros } = line;
          const unexplained = line.uncostedJobs + line.unpricedCredits + line.unfoundedCredits;
          return [
            line.key,
            String(line.jobs),
            String(line.captured),
            String(line.refunded),
            dollars(revenueMicros),
            dollars(costMicros),
            { text: dollars(revenueMicros - costMicros), tone: revenueMicros < costMicros ? "bad" : "good" },
            unexplained === 0 ? "nothing" : { text: String(unexplained), tone: "bad" },
          ];
        }),
      };
    },
  };
}

function dollars(micros: number): string {
  return `${micros < 0 ? "−" : ""}$${(Math.abs(micros) / MICROS).toFixed(2)}`;
}

function failedJobs(app: App): Panel {
  return {
    title: "Failed jobs",
    empty: "None of the newest thousand jobs failed.",
    note: "Of the newest thousand. One of them: npm run atelier -- job show ID",
    read: async () => ({
      columns: ["Job", "Model", "Why", "Ended"],
      rows: (await failedLately(app, SHOWN)).map(({ _id, model_slug, error, ended_at }) => [
        _id,
        model_slug,
        error ? `${error.code}: ${error.message}` : "–",
        time(ended_at ?? undefined),
      ]),
    }),
  };
}

function orders(app: App): Panel {
  return {
    title: "Open orders",
    empty: "No order waits to be paid.",
    note: "One of them: npm run atelier -- order show ID",
    read: async () => {
      const { rows } = await listOrders(app, { state: "placed" }, { limit: SHOWN, cursor: "" });
      return {
        columns: ["Order", "Amount", "Placed", "Ends"],
        rows: rows.map(({ _id, amount_cents, created_at, expires_at }) => [
          _id,
          `$${(amount_cents / 100).toFixed(2)}`,
          time(created_at),
          time(expires_at),
        ]),
      };
    },
  };
}

function tickets(app: App): Panel {
  return {
    title: "Open tickets",
    empty: "No ticket waits for support.",
    note: "One of them: npm run atelier -- ticket show ID",
    read: async () => {
      const { rows } = await listTickets(app, { state: "open" }, { limit: SHOWN, cursor: "" });
      return {
        columns: ["Ticket", "About", "Changed"],
        // Users' texts stay where support reads them.
        rows: rows.map(({ _id, kind, updated_at }) => [_id, kind.replaceAll("_", " "), time(updated_at)]),
      };
    },
  };
}

function time(at: Date | undefined): Cell {
  return at ? { at } : "–";
}
