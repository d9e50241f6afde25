// Kept answers by key, and by the exact addresses they were requested at, so that a repeated request is not even parsed. Limited in bytes.
import { bytesOf, type KeptAnswer } from "./kept-answer.ts";

/** Different spellings of one query; more of them are parsed each time. */
const MAX_TARGETS = 4;
const MAX_TARGET_LENGTH = 1024;
/** The memory of an entry in addition to its bytes. */
const ENTRY_BYTES = 1_000;

type Entry = { answer: KeptAnswer; bytes: number; targets: string[]; wasUsed: boolean };

export type AnswerCache = {
  get(key: string): KeptAnswer | undefined;
  /** By path and query as a client wrote them. */
  find(target: string): KeptAnswer | undefined;
  /** Keeps the answer, or takes note that it has grown. One that is too large is not kept. */
  set(answer: KeptAnswer): void;
  /** Lets the answer be found by this target too. Call set first. */
  link(target: string, answer: KeptAnswer): void;
  clear(): void;
  bytes(): number;
};

export function createAnswerCache(maxBytes: number): AnswerCache {
  const entries = new Map<string, Entry>();
  const byTarget = new Map<string, Entry>();
  let bytes = 0;

  function remove(entry: Entry): void {
    entries.delete(entry.answer.key);
    for (const target of entry.targets) byTarget.delete(target);
    bytes -= entry.bytes;
  }

  /** Oldest first; one that was used since the last check is unmarked and stays. */
  function shrink(): void {
    for (const [key, entry] of entries) {
      if (bytes <= maxBytes) return;
      if (!entry.wasUsed) {
        remove(entry);
        continue;
      }
      entry.wasUsed = false;
      entries.delete(key);
      entries.set(key, entry);
    }
  }

  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry) entry.wasUsed = true;
      return entry?.answer;
    },
    find: (target) => {
      const entry = byTarget.get(target);
      if (entry) entry.wasUsed = true;
      return entry?.answer;
    },
    set: (answer) => {
      const before = entries.get(answer.key);
      const targets = before?.answer === answer ? before.targets : [];
      if (before) remove(before);
      const size = ENTRY_BYTES + bytesOf(answer) + targets.reduce((sum, { length }) => sum + length * 2, 0);
      if (size > maxBytes / 2) return;
      const entry = { answer, bytes: size, targets, wasUsed: before !== undefined };
      entries.set(answer.key, entry);
      for (const target of targets) byTarget.set(target, entry);
      bytes += size;
      shrink();
    },
    link: (target, answer) => {
      const entry = entries.get(answer.key);
      if (entry?.answer !== answer || byTarget.get(target) === entry) return;
      if (entry.targets.length >= MAX_TARGETS || target.length > MAX_TARGET_LENGTH) return;
      entry.targets.push(target);
      byTarget.set(target, entry);
      const size = target.length * 2;
      entry.bytes += size;
      bytes += size;
    },
    clear: () => {
      entries.clear();
      byTarget.clear();
      bytes = 0;
    },
    bytes: () => bytes,
  };
}
