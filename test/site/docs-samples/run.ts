// Runs one language's programs in a separate folder, all except Go's in one process, and reports differences from the docs.
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../../../gateway/site/docs/guide-text.ts";
import type { Environment } from "./environment.ts";
import { MARK, type Program } from "./programs.ts";

const RUN_BOUND_MS = 300_000;
/** Printed before each chapter. */
const CHAPTER_MARK = "\u001d";
const COMMANDS: Record<Language, { command: string; extension: string; version: string }> = {
  bash: { command: "bash", extension: "sh", version: "--version" },
  javascript: { command: process.execPath, extension: "mjs", version: "--version" },
  python: { command: "python3", extension: "py", version: "--version" },
  go: { command: "go", extension: "go", version: "version" },
};

export function isInstalled(language: Language): boolean {
  const { command, version } = COMMANDS[language];
  return spawnSync(command, [version], { stdio: "ignore" }).status === 0;
}

/** One line for each sample that failed or printed something else. */
export async function runPrograms(
  language: Language,
  programs: readonly Program[],
  { folder, env }: Environment,
): Promise<string[]> {
  const { command, extension } = COMMANDS[language];
  const files = programs.map(({ chapter, text }) => {
    const path = join(folder, chapter, `main.${extension}`);
    mkdirSync(join(folder, chapter), { recursive: true });
    writeFileSync(path, text);
    return path;
  });
  const problems: string[] = [];
  const judge = (program: Program, printed: string, said: string) =>
    problems.push(...checkProgram(program, printed, said));
  if (language === "go") {
    for (const [i, program] of programs.entries()) {
      const { stdout, stderr } = await run(command, ["run", files[i] ?? ""], { folder, env });
      judge(program, stdout, stderr);
    }
    return problems;
  }
  const driver = join(folder, `driver.${extension}`);
  writeFileSync(driver, DRIVERS[language](files));
  const { stdout, stderr } = await run(command, [driver], { folder, env });
  const printed = stdout.split(CHAPTER_MARK).slice(1);
  for (const [i, program] of programs.entries()) judge(program, printed[i] ?? "", stderr);
  return problems;
}

/** A failing chapter does not stop the next. */
const DRIVERS: Record<Exclude<Language, "go">, (files: readonly string[]) => string> = {
  bash: (files) =>
    files.map((file) => `printf '\\035'; bash '${file}' || echo "failed: ${file}" >&2`).join("\n"),
  javascript: (files) =>
    files
      .map(
        (file) =>
          `process.stdout.write("\\u001d"); await import(${JSON.stringify(file)}).catch((error) => console.error(error));`,
      )
      .join("\n"),
  python: (files) =>
    [
      "import traceback",
      ...files.map(
        (file) =>
          `print("\\x1d", end="", flush=True)\ntry:\n    exec(compile(open(${JSON.stringify(file)}).read(), ${JSON.stringify(file)}, "exec"), {})\nexcept BaseException:\n    traceback.print_exc()`,
      ),
    ].join("\n"),
};

type Output = { stdout: string; stderr: string };

function run(command: string, args: readonly string[], { folder, env }: Environment): Promise<Output> {
  return new Promise((resolve) => {
    const options = {
      cwd: folder,
      // oxlint-disable-next-line node/no-process-env -- PATH, HOME and the like, as a reader's shell has them
      env: { ...process.env, ...env },
      timeout: RUN_BOUND_MS,
      maxBuffer: 64 * 2 ** 20,
    };
    execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ stdout, stderr: stderr || (error?.message ?? "") }),
    );
  });
}

function checkProgram({ chapter, language, expected }: Program, printed: string, said: string): string[] {
  const outputs = printed.split(MARK);
  return expected.flatMap(({ kind, text }, i) => {
    const output = (outputs[i] ?? "").trim();
    const where = `${chapter}, sample ${i + 1} in ${language}`;
    // The error that ended the program follows its last mark.
    if (i >= outputs.length - 1) return [`${where} did not end: ${output}\n${said.slice(-1_500)}`];
    const found =
      kind === "json" ? differenceOf(JSON.parse(text), parsed(output)) : textDifference(text, output);
    return found === undefined ? [] : [`${where}: ${found}`];
  });
}

function textDifference(expected: string, printed: string): string | undefined {
  return matches(expected, printed) ? undefined : `prints ${printed}; the docs say ${expected}`;
}

/** `…` matches anything. */
function matches(expected: string, actual: string): boolean {
  const pattern = expected.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${pattern.join(String.raw`[\s\S]*`)}$`).test(actual);
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output.split("\n").at(-1) ?? "");
  } catch {
    return output;
  }
}

/** Fields whose values are the same for every reader. */
const SAME = "ok code state model_slug modality per kind made status event credits units docs path".split(
  " ",
);

/** Whether the response has everything that the docs show, with the same types. */
function differenceOf(expected: unknown, actual: unknown, path = "answer"): string | undefined {
  if (expected === null) return actual === null ? undefined : `${path} is not null`;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${path} is no list: ${JSON.stringify(actual)?.slice(0, 500)}`;
    return expected.length === 0 ? undefined : differenceOf(expected[0], actual[0], `${path}[0]`);
  }
  if (typeof expected !== typeof actual)
    return `${path} should be ${typeof expected}: ${JSON.stringify(actual)?.slice(0, 500)}`;
  if (typeof expected !== "object") {
    const name = path.split(".").at(-1) ?? "";
    const fits = !SAME.includes(name) || matches(JSON.stringify(expected), JSON.stringify(actual));
    return fits ? undefined : `${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
  }
  if (actual === null) return `${path} is null`;
  const fields = actual as Record<string, unknown>;
  for (const [name, value] of Object.entries(expected)) {
    const found = differenceOf(value, fields[name], `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
