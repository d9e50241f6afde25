// subscriptions/listen: sends a client each event of its tasks until they have ended, over one stream (SEP-2663). Core checks the task's
// owner on each event. Nothing is stored about a listener: one that returns names the last event that it has seen.
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/server";
import { beginStream } from "../../edge/begin-stream.ts";
import { toAppError } from "../../edge/http/errors.ts";
import { AppError, ERROR_TABLE } from "../../proto/codes.ts";
import { readClientInput } from "./client-input.ts";
import { KEEP_ALIVE_MS, SERVER_INFO, toEvent } from "./direct.ts";
import type { Answered, Exchange, ServerEdge } from "./exchange.ts";
import { AFTER, type Request } from "./message.ts";
import { toDetail } from "./task-methods.ts";
import { requireTasks, type TaskEvent, type Tasks } from "./task.ts";

/** The field in a notification's `_meta` with the number of the event among the events of its task. */
const EVENT_META = "atelier/event";
/** The pause before core is asked again after it was unavailable. It varies, so that listeners do not all ask at the same time. */
const AWAY_MS = { least: 300, spread: 700 };

type Filter = { taskIds?: readonly string[]; [AFTER]?: Readonly<Record<string, number>> };

/** Answers a message with valid params and headers. Throws AppErrors and ProtocolErrors until the first byte is sent. */
export async function listen(message: Request, exchange: Exchange, edge: ServerEdge): Promise<Answered> {
  const { taskIds = [], [AFTER]: after = {} } = (message.params?.["notifications"] ?? {}) as Filter;
  if (taskIds.length > 0) requireTasks(readClientInput(message.params));
  const { tasks } = exchange.toolset;
  const leave = exchange.tools.open();
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, exchange.client.signal, exchange.draining]);
  const listener = { exchange, signal };
  try {
    const found = await Promise.all(
      tasks ? [...new Set(taskIds)].map((id) => follow(id, after[id], tasks, listener)) : [],
    );
    const followed = found.filter((one) => one !== undefined);
    return { events: send(message, followed, { signal, stop, leave }, edge), lasts: true };
  } catch (error) {
    stop.abort();
    leave();
    throw error;
  }
}

type Followed = { readonly taskId: string; readonly events: AsyncIterable<TaskEvent> };
type Listener = { readonly exchange: Exchange; readonly signal: AbortSignal };

/** Returns the events of a task after core has accepted the caller, or undefined if the caller has no such task. */
async function follow(
  taskId: string,
  after: number | undefined,
  tasks: Tasks,
  { exchange, signal }: Listener,
): Promise<Followed | undefined> {
  const { core, call } = exchange.tools;
  const context = { core, call: { ...call, signal } };
  const open = (from: number | undefined): Promise<AsyncIterable<TaskEvent>> =>
    beginStream((onBegin) => tasks.watch(taskId, { after: from, onBegin }, context));
  try {
    return { taskId, events: untilEnded(await open(after), after, open, signal) };
  } catch (error) {
    if (error instanceof AppError && tasks.notFound.includes(error.code)) return undefined;
    throw error;
  }
}

/** Yields each event once, also if core is unavailable in between. */
async function* untilEnded(
  begun: AsyncIterable<TaskEvent>,
  after: number | undefined,
  open: (after: number | undefined) => Promise<AsyncIterable<TaskEvent>>,
  signal: AbortSignal,
): AsyncGenerator<TaskEvent> {
  let last = after;
  for (let isBack = false; ; isBack = true) {
    try {
      for await (const event of isBack ? await open(last) : begun) {
        last = event.number;
        yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError && ERROR_TABLE[error.code].retryable)) throw error;
    }
    await sleep(AWAY_MS.least + Math.random() * AWAY_MS.spread, undefined, { signal });
  }
}

function send(
  { id }: Request,
  followed: readonly Followed[],
  { signal, stop, leave }: { signal: AbortSignal; stop: AbortController; leave: () => void },
  { info, log }: ServerEdge,
): PassThrough {
  const stream = new PassThrough();
  const subscription = { [SUBSCRIPTION_ID_META_KEY]: id };
  const notify = async (method: string, { _meta, ...params }: { _meta?: object }): Promise<void> => {
    const told = { jsonrpc: "2.0", method, params: { ...params, _meta: { ..._meta, ...subscription } } };
    if (!stream.write(toEvent(JSON.stringify(told)))) await once(stream, "drain", { signal });
  };
  const tell = async ({ events }: Followed): Promise<void> => {
    for await (const { number, detail } of events)
      await notify("notifications/tasks", { ...toDetail(detail), _meta: { [EVENT_META]: number } });
  };
  const beat = setInterval(() => stream.write(": waiting\n\n"), KEEP_ALIVE_MS);
  stream.once("close", () => {
    clearInterval(beat);
    stop.abort();
    leave();
  });
  const run = async (): Promise<void> => {
    const taskIds = followed.map(({ taskId }) => taskId);
    await notify("notifications/subscriptions/acknowledged", {
      notifications: taskIds.length > 0 ? { taskIds } : {},
    } as object);
    await Promise.all(followed.map(tell));
  };
  const end = (): void => {
    const result = { resultType: "complete", _meta: { ...subscription, [SERVER_INFO]: info } };
    stream.end(toEvent(JSON.stringify({ jsonrpc: "2.0", id, result })));
  };
  run().then(end, (error: unknown) => {
    // A server that shuts down says so; a client that has gone hears nothing.
    if (signal.aborted) return end();
    const known = toAppError(error) ?? new AppError("internal");
    if (ERROR_TABLE[known.code].http >= 500) log.error({ err: error }, "listening to tasks broke");
    // The stream ends without the response that ends a subscription, so the client listens again and then hears what is wrong.
    stream.end();
  });
  return stream;
}
