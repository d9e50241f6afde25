// What follows from a task that the provider was told about. Pure. Meanwhile the person may have wished for something else, or another
// process may have told it because this one took too long.
import { REASONS } from "./reasons.ts";
import { nextTaskAt, takeStep, TELLING_MS, withoutTask, withTask } from "./rules.ts";
import type { ProviderTask, SubscriptionDoc } from "./store.ts";

export type Answer =
  | { readonly kind: "taken"; readonly paidUntil: Date }
  /** It will never do that. */
  | { readonly kind: "refused"; readonly isDeclined: boolean }
  /** It did not answer, and may do it all the same. */
  | { readonly kind: "away" };

/** `taken` is the subscription as it was when its task was taken to be told. The same again where nothing follows. */
export function afterTelling(
  before: SubscriptionDoc,
  taken: SubscriptionDoc,
  answer: Answer,
  at: Date,
): SubscriptionDoc {
  const { task } = taken;
  if (!task) return before;
  // What nobody answered may still arrive.
  const arrivedBy = answer.kind === "away" ? new Date(at.getTime() + TELLING_MS) : at;
  if (before.tellings !== taken.tellings) return afterLateAnswer(before, task, { at, arrivedBy });
  if (before.task === null) return before;
  const isNewer = before.task_seq !== taken.task_seq;
  if (answer.kind === "away") {
    const next_task_at = isNewer ? arrivedBy : nextTaskAt(before.task_attempts, at);
    return { ...before, telling_until: arrivedBy, next_task_at };
  }
  const after =
    answer.kind === "taken"
      ? afterTask(before, task, answer.paidUntil, at)
      : afterRefusal(before, task, answer.isDeclined, at);
  if (isNewer) return { ...after, telling_until: null, next_task_at: at };
  return tellNext(withoutTask(after), task, at);
}

/** Another process has told the provider since, and this one's call may arrive after that. */
function afterLateAnswer(
  before: SubscriptionDoc,
  task: ProviderTask,
  { at, arrivedBy }: { at: Date; arrivedBy: Date },
): SubscriptionDoc {
  const isWish = task.kind === "cancel_at_end" || task.kind === "resume";
  if (before.state === "ended" || !isWish) return before;
  const doubtful = { ...before, doubtful_until: later(arrivedBy, before.doubtful_until ?? undefined) };
  return before.task === null ? tellAgain(doubtful, at) : doubtful;
}

/** After one task is done: what is still in doubt, or what went with the doubt. */
function tellNext(done: SubscriptionDoc, task: ProviderTask, at: Date): SubscriptionDoc {
  if (done.state === "ended") return done;
  if (done.doubtful_until) return tellAgain(done, at);
  // Only a call that came late can have undone a change that is planned: whoever takes it up has none.
  return task.kind === "resume" && done.next_change !== null && done.state === "active"
    ? withTask(done, { kind: "change", when: "period_end", offer: done.next_change }, at)
    : done;
}

/** What is wished meanwhile waits too. */
function tellAgain(subscription: SubscriptionDoc, at: Date): SubscriptionDoc {
  const { doubtful_until } = subscription;
  const known = { ...subscription, doubtful_until: null, telling_until: doubtful_until ?? null };
  return withTask(known, { kind: wishOf(subscription) }, at);
}

/** What a live subscription is to be at the provider. */
function wishOf({ state }: SubscriptionDoc): "cancel_at_end" | "resume" {
  return state === "cancelling" ? "cancel_at_end" : "resume";
}

function afterTask(before: SubscriptionDoc, task: ProviderTask, paidUntil: Date, at: Date): SubscriptionDoc {
  const isHad = before.state === "active" || before.state === "cancelling";
  if (task.kind !== "change" || task.when !== "now" || !isHad) return before;
  return takeStep(before, "changed", {
    at,
    ...task.offer,
    period_start: at,
    period_end: paidUntil > at ? paidUntil : before.period_end,
    next_change: null,
  });
}

/** What the provider will never do is not asked for again, and the person is told. */
function afterRefusal(
  before: SubscriptionDoc,
  task: ProviderTask,
  isDeclined: boolean,
  at: Date,
): SubscriptionDoc {
  if (task.kind !== "change" || before.state === "ended") return before;
  const note = isDeclined ? REASONS.changeDeclined : REASONS.changeRefused;
  if (before.next_change !== null && task.when === "period_end" && before.state === "active")
    return takeStep(before, "change_dropped", { at, note, next_change: null });
  return {
    ...before,
    events: [...before.events, { seq: before.events.length + 1, type: "noted", at, note }],
  };
}

function later(time: Date, other: Date | undefined): Date {
  return other !== undefined && other > time ? other : time;
}
