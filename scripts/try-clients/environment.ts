// The environment of each client: its packages in a separate folder, fetched in fixed versions by its language's usual tools.
import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Done, readDone } from "./report.ts";

const PROGRAMS = join(import.meta.dirname, "programs");
export const PYTHON_SDK = "mcp==2.3.0";
const GO_SDK = "github.com/modelcontextprotocol/go-sdk";
export const GO_SDK_VERSION = "v1.8.0";
const MAKE_BOUND_MS = 600_000;
const RUN_BOUND_MS = 180_000;

const run = promisify(execFile);

export type Target = { readonly url: string; readonly key: string; readonly hasPrompts: boolean };
/** Throws when a result is wrong. */
export type Attempt = (target: Target) => Promise<Done>;

/** Runs the client's program once against one endpoint. Returns its output. */
type Runner = (env: Record<string, string>) => Promise<string>;

export function isInstalled(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

/** A Python environment with the package, one of the programs in it, and the code in docs/connect.md under `heading`. */
export async function preparePython(
  folder: string,
  program: string,
  requirement: string,
  heading: string | undefined,
): Promise<Attempt> {
  const own = join(folder, program);
  const python = join(own, "bin", "python");
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement];
  await run("python3", ["-m", "venv", own], { timeout: MAKE_BOUND_MS });
  await run(python, install, { timeout: MAKE_BOUND_MS });
  const whole = attemptOf(runnerOf(python, [join(PROGRAMS, `${program}.py`)]));
  if (heading === undefined) return whole;
  return async (target) => {
    if (target.key !== "") await runLines(heading, { own, python, target });
    return whole(target);
  };
}

/** Runs them as a reader would, with the endpoint's URL. Throws unless they print the tools. */
async function runLines(
  heading: string,
  { own, python, target }: { own: string; python: string; target: Target },
): Promise<void> {
  const page = readFileSync(new URL("../../docs/connect.md", import.meta.url), "utf8");
  const [, section = ""] = page.split(`### ${heading}\n`);
  const [, lines = ""] = /^```python\n(.*?)^```$/ms.exec(section) ?? [];
  const file = join(own, "lines.py");
  writeFileSync(file, lines.replace("https://HOST/api/mcp", target.url));
  const printed = await runnerOf(python, [file])({ ATELIER_KEY: target.key });
  if (!printed.includes("connect_generate")) throw new Error(`the lines of ${heading} printed no tools`);
}

function attemptOf(run: Runner): Attempt {
  return async ({ url, key, hasPrompts }) =>
    readDone(await run({ TRY_URL: url, TRY_KEY: key, TRY_PROMPTS: hasPrompts ? "yes" : "no" }));
}

/** A Go module with the SDK and the program, built. */
export async function prepareGo(folder: string): Promise<Attempt> {
  const own = join(folder, "go");
  mkdirSync(own);
  cpSync(join(PROGRAMS, "main.go"), join(own, "main.go"));
  const go = (...args: string[]) => run("go", args, { cwd: own, timeout: MAKE_BOUND_MS });
  await go("mod", "init", "try");
  await go("get", `${GO_SDK}@${GO_SDK_VERSION}`);
  await go("mod", "tidy");
  await go("build", "-o", "try", ".");
  return attemptOf(runnerOf(join(own, "try"), []));
}

function runnerOf(command: string, args: readonly string[]): Runner {
  return async (env) => {
    const { stdout } = await run(command, [...args], {
      // oxlint-disable-next-line node/no-process-env -- passed on unchanged: PATH, proxies
      env: { ...process.env, ...env },
      timeout: RUN_BOUND_MS,
    });
    return stdout;
  };
}
