// The part of the Admin service for the whole installation: search, pauses and the length of the queue.
import type { AdminDefinition } from "../../../proto/types/atelier/v1/Admin.ts";
import type { QueueStatusInput } from "../../../proto/types/atelier/v1/QueueStatus.ts";
import { recordWrite } from "../../identity/audit-trail/record-write.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { measureQueue } from "../../studio/jobs/measure-queue.ts";
import { loadQueuePause, pauseQueue, resumeQueue } from "../../studio/limits/queue.ts";
import { findAnything } from "./find.ts";
import { listPauses, QUEUE_TARGET } from "./pauses.ts";

export function consoleHandlers(app: App) {
  return {
    PauseQueue: ({ refuse: refuses }, call) =>
      recordWrite(
        app,
        call,
        { target: QUEUE_TARGET, detail: refuses ? "new requests are refused" : "", count: countQueue },
        async () => {
          await pauseQueue(app, { refuses });
          return queueStatus(app);
        },
      ),

    ResumeQueue: (_request, call) =>
      recordWrite(app, call, { target: QUEUE_TARGET, count: countQueue }, async () => {
        await resumeQueue(app);
        app.signals.emit("claimable");
        return queueStatus(app);
      }),

    GetStatus: async () => {
      const [queue, pauses] = await Promise.all([queueStatus(app), listPauses(app)]);
      return {
        queue,
        pauses: pauses.map(({ kind, name, effect, act }) => ({
          kind,
          name,
          effect,
          at: act?.at.toISOString() ?? "",
          operator: act?.operator ?? "",
          reason: act?.reason ?? "",
        })),
      };
    },

    Find: async ({ word, key_sha256: keySha256 }) => ({
      found: (await findAnything(app, { word, keySha256 })).map(({ accountId, jobId = "", ...hit }) => ({
        ...hit,
        account_id: accountId,
        job_id: jobId,
      })),
    }),
  } satisfies Partial<Handlers<AdminDefinition>>;
}

async function queueStatus(app: App) {
  const [pause, queue] = await Promise.all([loadQueuePause(app), measureQueue(app)]);
  return {
    state: pause ? (pause.refuses ? "closed" : "paused") : "open",
    since: pause?.since.toISOString(),
    waiting: queue.waiting,
    running: queue.running,
    oldest_waiting_seconds: queue.oldestWaitingSeconds,
  } satisfies QueueStatusInput;
}

function countQueue({ state, waiting, running }: Awaited<ReturnType<typeof queueStatus>>): string {
  return `${state}; ${waiting} waiting, ${running} running`;
}
