// Parses a page of docs into steps: its blocks of commands, each with its documented output.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Step = {
  /** The line of the page at which its block begins. */
  readonly line: number;
  /** The commands that a person types. */
  readonly commands: string;
  /** Path of the script that runs instead, when the page names one. */
  readonly standIn?: string;
  /** Lines that the output must contain in this order; `…` matches anything. */
  readonly prints: readonly string[];
};

const FENCE = /^```(\w*)$/;
const STAND_IN = /^<!-- stands in: (\S+) -->$/;

/** Blocks of `sh` are steps; a `text` block directly after one is its output. */
export function readSteps(markdown: string): Step[] {
  const steps: Step[] = [];
  let standIn: string | undefined;
  let lastEnd = -1;
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    standIn = STAND_IN.exec(line)?.[1] ?? standIn;
    const language = FENCE.exec(line)?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    const block = lines.slice(at + 1, end);
    const last = steps.at(-1);
    const follows = last !== undefined && at === lastEnd + 2;
    lastEnd = language === "sh" ? end : -1;
    if (language === "sh") {
      steps.push({ line: at + 2, commands: block.join("\n"), prints: [], ...(standIn && { standIn }) });
      standIn = undefined;
    } else if (language === "text" && follows) {
      steps[steps.length - 1] = { ...last, prints: block };
    }
    at = end;
  }
  return steps;
}

/** The commands to run: the page's, or their replacement. */
export function commandsOf(step: Step, root: string): string {
  if (step.standIn === undefined) return step.commands;
  const path = join(root, step.standIn);
  if (!existsSync(path)) throw new Error(`${step.standIn} is not there`);
  return readFileSync(path, "utf8");
}

/** The first expected line that the output lacks, in order. */
export function missingLine(output: string, prints: readonly string[]): string | undefined {
  const lines = output.split("\n");
  let at = 0;
  return prints.find((wanted) => {
    const pattern = new RegExp(
      `^${wanted
        .split("…")
        .map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
        .join(".*")}$`,
    );
    while (at < lines.length) if (pattern.test(lines[at++] ?? "")) return false;
    return true;
  });
}
