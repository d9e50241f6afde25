// A page of docs as steps: its blocks of commands, each with what the page says they print.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Step = {
  /** The line of the page at which its block begins. */
  readonly line: number;
  /** What a person types. */
  readonly commands: string;
  /** Path of the script that is run instead, where the page names one. */
  readonly standIn?: string;
  /** Lines that must be in what is printed, in this order; `…` is anything. */
  readonly prints: readonly string[];
};

const FENCE = /^```(\w*)$/;
const STAND_IN = /^<!-- stands in: (\S+) -->$/;

/** Blocks of `sh` are steps; a block of `text` right after one is what it prints. */
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

/** The commands that are run: those of the page, or of what stands in for them. */
export function commandsOf(step: Step, root: string): string {
  if (step.standIn === undefined) return step.commands;
  const path = join(root, step.standIn);
  if (!existsSync(path)) throw new Error(`${step.standIn} is not there`);
  return readFileSync(path, "utf8");
}

/** The first line that should have been printed, in this order, and was not. */
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
