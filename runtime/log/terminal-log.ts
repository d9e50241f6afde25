// What `npm start` prints at the terminal during development: a short line for each mail and for each event that needs attention. The log
// itself, with every field, is JSON in a file.
import { mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type DestinationStream, pino } from "pino";

/** At a start, a log file larger than this is moved aside, as mongod.log is. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;
const MAX_UNWRITTEN_BYTES = 1024 * 1024;
const NAMES = new Map([
  [40, "warning"],
  [50, "error"],
  [60, "fatal"],
]);
const WARNING = 40;

/** The fields of log lines that are shown. */
type Line = {
  readonly level: number;
  readonly time?: number;
  readonly role?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
  readonly to?: string;
  readonly subject?: string;
  readonly text?: string;
};

/** Only development uses this file, because mails and their links are in it. */
export const LOG_FILE = "atelier.log";

/** Writes every line to the file, which is opened with the first one, and the lines for people to `out`. */
export function createTerminalLog(path: string, out: { write(text: string): unknown }): DestinationStream {
  let file: DestinationStream | undefined;
  let last: string | undefined;
  return {
    write: (json) => {
      file ??= openFile(path);
      file.write(json);
      const line = JSON.parse(json) as Line;
      const shown = forPeople(line);
      // A warning that repeats is shown once.
      if (shown !== undefined && (shown !== last || line.level < WARNING)) out.write(`${shown}\n`);
      last = shown ?? last;
    },
  };
}

function openFile(path: string): DestinationStream {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (size > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
  const file = pino.destination({ dest: path, mode: 0o600, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  // The service continues if the disk is full. Lines wait for space up to this limit, and lines beyond it are dropped.
  file.on("error", () => {});
  return file;
}

/**
 * Returns the terminal line for a mail with its first link, a warning or error with its reason, or a message that is a plain sentence.
 * Returns undefined for all other lines: a line with fields is for programs.
 */
function forPeople({ level, time: _time, role: _role, msg = "", err, ...fields }: Line): string | undefined {
  const { to, subject, text } = fields;
  if (to !== undefined && subject !== undefined && text !== undefined) {
    const link = /https?:\/\/\S+/.exec(text)?.[0];
    return `mail to ${to}: ${subject}${link === undefined ? "" : `\n  ${link}`}`;
  }
  if (level < WARNING) return Object.keys(fields).length === 0 ? msg : undefined;
  const [reason = ""] = err?.message?.split("\n") ?? [];
  return `${NAMES.get(level) ?? "error"}: ${msg}${msg.includes(reason) ? "" : `: ${reason}`}`;
}
