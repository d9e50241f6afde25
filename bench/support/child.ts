// A part of a measurement in a separate process, so that each has a processor: it is called over IPC.
import { fileURLToPath } from "node:url";
import { startProcess } from "../../scripts/testbed/processes.ts";

export type Child<Question, Reply> = {
  readonly pid: number;
  /** One call at a time. */
  ask(question: Question): Promise<Reply>;
  stop(): Promise<unknown>;
};

/** Starts a file of this folder. Resolves when it is up. */
export async function startChild<Question, Reply>(file: string): Promise<Child<Question, Reply>> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const { pid, nextMessage, send, stop } = startProcess(file, process.execPath, [path]);
  await nextMessage();
  return {
    pid,
    ask: (question) => {
      const reply = nextMessage();
      send(question as object);
      return reply as Promise<Reply>;
    },
    stop,
  };
}

/** The other side: reports that it is up, answers each call, and ends by SIGTERM or with its parent. */
export function answerParent<Question, Reply>(
  answer: (question: Question) => Promise<Reply>,
  close: () => unknown = () => {},
): void {
  const end = async () => {
    await close();
    process.exit();
  };
  process.on("message", async (question) => process.send?.((await answer(question as Question)) as object));
  process.once("disconnect", end);
  process.once("SIGTERM", end);
  process.send?.("up");
}
