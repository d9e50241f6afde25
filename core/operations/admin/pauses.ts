// The pauses of operators, with their author and reason as far as the audit trail contains them.
import { latestDone } from "../../identity/audit-trail/list-audit-trail.ts";
import type { App } from "../../kernel/app.ts";
import { loadQueuePause } from "../../studio/limits/queue.ts";
import { listProviders } from "../../studio/limits/settings.ts";
import { listAllModels } from "../../studio/models/list-models.ts";

/** The target of a queue pause in the audit trail. */
export const QUEUE_TARGET = "queue";
const METHODS = ["PauseQueue", "PauseModel", "PauseProvider"] as const;

export type Pause = {
  readonly kind: "queue" | "model" | "provider";
  /** Empty for the queue. */
  readonly name: string;
  /** The effect in words. */
  readonly effect: string;
  /** Undefined if the audit trail does not contain it. */
  readonly act: { readonly at: Date; readonly operator: string; readonly reason: string } | undefined;
};

/** The queue first, then models, then providers. */
export async function listPauses(app: Pick<App, "mongo" | "clock" | "providers">): Promise<Pause[]> {
  const [queue, models, providers] = await Promise.all([
    loadQueuePause(app),
    listAllModels(app),
    listProviders(app),
  ]);
  const pauses = [
    ...(queue
      ? [
          {
            kind: "queue" as const,
            name: "",
            effect: queue.refuses
              ? "no waiting job starts, and new requests are refused"
              : "no waiting job starts; new requests are accepted and wait",
          },
        ]
      : []),
    ...models
      .filter(({ status }) => status === "paused")
      .map(({ _id: name }) => ({
        kind: "model" as const,
        name,
        effect: "nothing is accepted for it, and its waiting jobs wait",
      })),
    ...providers
      .filter(({ isPaused }) => isPaused)
      .map(({ provider: name }) => ({
        kind: "provider" as const,
        name,
        effect: "it is not called; models without another provider are paused with it",
      })),
  ];
  const acts = await latestDone(app, { targets: pauses.map(targetOf), methods: METHODS });
  return pauses.map((pause) => {
    const act = acts.get(targetOf(pause));
    return { ...pause, act: act && { at: act.at, operator: act.operator ?? "", reason: act.reason ?? "" } };
  });
}

function targetOf({ kind, name }: Pick<Pause, "kind" | "name">): string {
  return kind === "queue" ? QUEUE_TARGET : name;
}
