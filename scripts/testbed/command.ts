// The frame of a command that starts something: what it opened is closed in reverse order, however the command ends.
import { cpus, totalmem } from "node:os";

type Undo = () => Promise<void> | void;
/** Receives each cleanup as soon as it is needed. */
export type AtEnd = (undo: Undo) => void;

export function collectUndos(): { atEnd: AtEnd; undoAll(): Promise<void> } {
  const undos: Undo[] = [];
  return {
    atEnd: (undo) => void undos.push(undo),
    undoAll: async () => {
      for (const undo of undos.splice(0).reverse()) await undo();
    },
  };
}

/** Ends the process with the code that `work` returns, with 1 after an error, and with `interrupted` after Ctrl-C. */
export async function runCommand(
  name: string,
  work: (atEnd: AtEnd) => Promise<number>,
  interrupted = 1,
): Promise<void> {
  const { atEnd, undoAll } = collectUndos();
  let ending: Promise<void> | undefined;
  // Connections of the command itself may still be open, so it does not wait for them.
  const end = (code: number) => (ending ??= undoAll().finally(() => process.exit(code)));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => void end(interrupted));
  try {
    await end(await work(atEnd));
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error && !message.includes(cause.message) ? ` (${cause.message})` : "";
    if (!ending) console.error(`${name}: ${message}${why}`);
    await end(1);
  }
}

export function machineInWords(): string {
  return `${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}
