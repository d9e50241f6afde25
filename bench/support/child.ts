// A part of a measurement in a separate process, so that each has a processor: it is called over IPC.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export type Child<Question, Reply> = {
  readonly pid: number;
  /** One call at a time. */
  ask(question: Question): Promise<Reply>;
  stop(): Promise<void>;
};

/** Starts a file of this folder. Resolves when it is up, with its first message. */
export async function startChild<Hello, Question, Reply>(
  file: string,
  env: Record<string, string>,
): Promise<{ hello: Hello; child: Child<Question, Reply> }> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...profiling(), ...env },
    execArgv: [],
  });
  const ended = once(child, "exit");
  const next = async (): Promise<unknown> => {
    const message = once(child, "message").then(([said]) => said as unknown);
    const end = ended.then(() => {
      throw new Error(`${file} ended`);
    });
    return Promise.race([message, end]);
  };
  const hello = (await next()) as Hello;
  return {
    hello,
    child: {
      pid: child.pid ?? 0,
      ask: (question) => {
        child.send(question as object);
        return next() as Promise<Reply>;
      },
      stop: async () => {
        child.disconnect();
        await ended;
      },
    },
  };
}

/** Options that make a node process profile itself, when this one does (scripts/flame.ts). */
export function profiling(): Record<string, string> {
  // oxlint-disable-next-line node/no-process-env -- passed on unchanged
  const { NODE_OPTIONS: options } = process.env;
  return options?.includes("--cpu-prof") ? { NODE_OPTIONS: options } : {};
}

/** The other side: reports its start, answers each call, and ends with its parent. */
export function answerParent<Question, Reply>(
  hello: unknown,
  answer: (question: Question) => Promise<Reply>,
  close: () => Promise<void>,
): void {
  process.on("message", async (question) => process.send?.((await answer(question as Question)) as object));
  process.once("disconnect", async () => {
    await close();
    process.exit();
  });
  process.send?.(hello as object);
}
