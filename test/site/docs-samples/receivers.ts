// The webhook endpoints in the docs, each with a genuine delivery of the service and forged ones.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Language, Sample } from "../../../gateway/site/docs/guide-text.ts";
import { freePort } from "../../../runtime/process/free-port.ts";
import type { Environment } from "./environment.ts";

/** Go is compiled first. */
const START_BOUND_MS = 120_000;
const LOOK_MS = 50;

/** A webhook as it arrived: headers, and raw bytes. */
export type Delivery = { readonly headers: IncomingHttpHeaders; readonly body: Buffer };

export type Recorder = {
  readonly url: string;
  /** The first webhook of an ended job. */
  delivery(): Promise<Delivery>;
  close(): void;
};

/** Answers 204 to every request. */
export async function openRecorder(): Promise<Recorder> {
  const { promise, resolve } = Promise.withResolvers<Delivery>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.headers["x-service-event"] === "job.completed")
        resolve({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(204).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks/atelier`,
    delivery: () => promise,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The endpoint's errors. It must accept a genuine webhook, name its job, and refuse every forgery. */
export async function tryReceiver(
  { language, text }: Sample,
  { headers, body }: Delivery,
  environment: Environment,
): Promise<string[]> {
  const signed = Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(x-service|webhook)-/.test(name)),
  ) as Record<string, string>;
  const other = { "x-service-signature": `sha256=${"0".repeat(64)}`, "webhook-signature": "v1,AAAA" };
  const none = { "x-service-signature": "", "webhook-signature": "" };
  const cases: Case[] = [
    { name: "a genuine delivery", body, headers: signed, isGenuine: true },
    {
      name: "an altered body",
      body: Buffer.from(body.toString().replace("completed", "completes")),
      headers: signed,
      isGenuine: false,
    },
    { name: "a wrong signature", body, headers: { ...signed, ...other }, isGenuine: false },
    { name: "no signature", body, headers: { ...signed, ...none }, isGenuine: false },
  ];
  const folder = join(environment.folder, "receiver");
  mkdirSync(folder, { recursive: true });
  const own = { ...environment, folder };
  if (language === "bash")
    return cases.flatMap((one) => {
      const said = runShell(text, one, own);
      return said === (one.isGenuine ? "genuine" : "forged") ? [] : [`bash says ${said} of ${one.name}`];
    });
  const problems: string[] = [];
  const receiver = await startReceiver(language, text, own);
  try {
    for (const one of cases) {
      const status = await receiver.send(one);
      if (status !== (one.isGenuine ? 204 : 401))
        problems.push(`${language} answers ${status} to ${one.name}`);
    }
    const { job } = JSON.parse(body.toString()) as { job: { job_id: string } };
    if (receiver.printed().trim() !== `job.completed ${job.job_id}`)
      problems.push(`${language} prints ${receiver.printed()}`);
  } finally {
    receiver.stop();
  }
  return problems;
}

type Case = {
  readonly name: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly isGenuine: boolean;
};

function runShell(text: string, { body, headers }: Case, { folder, env }: Environment): string {
  writeFileSync(join(folder, "delivery.json"), body);
  // oxlint-disable-next-line node/no-process-env -- PATH, as a reader's shell has it
  const whole = { ...process.env, ...env, SIGNATURE: headers["x-service-signature"] };
  return execFileSync("bash", ["-euo", "pipefail", "-c", text], { cwd: folder, env: whole })
    .toString()
    .trim();
}

const FILES: Record<Exclude<Language, "bash">, { name: string; command: string; args: readonly string[] }> = {
  javascript: { name: "receiver.mjs", command: process.execPath, args: ["receiver.mjs"] },
  python: { name: "receiver.py", command: "python3", args: ["receiver.py"] },
  go: { name: "receiver.go", command: "./receiver", args: [] },
};

async function startReceiver(
  language: Exclude<Language, "bash">,
  text: string,
  { folder, env }: Environment,
) {
  const { name, command, args } = FILES[language];
  writeFileSync(join(folder, name), text);
  const port = await freePort();
  // oxlint-disable-next-line node/no-process-env -- PATH and HOME, as a reader's shell has them
  const whole = { ...process.env, ...env, PORT: String(port) };
  // Built first, because `go run` would leave its child process behind.
  if (language === "go") execFileSync("go", ["build", "-o", "receiver", name], { cwd: folder, env: whole });
  const child = spawn(command, args, { cwd: folder, env: whole, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const send = async ({ body, headers }: Pick<Case, "body" | "headers">): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${port}/hooks/atelier`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: new Uint8Array(body),
    });
    return answer.status;
  };
  await becomesReady(
    child,
    () => send({ body: Buffer.from("{}"), headers: {} }),
    () => said,
  );
  return { send, printed: () => printed, stop: () => child.kill("SIGKILL") };
}

/** Resolves once it answers. */
async function becomesReady(
  child: ChildProcess,
  ask: () => Promise<number>,
  said: () => string,
): Promise<void> {
  const endsAt = Date.now() + START_BOUND_MS;
  for (;;) {
    if (child.exitCode !== null || Date.now() > endsAt)
      throw new Error(`a receiver did not start: ${said()}`);
    if (await ask().catch(() => undefined)) return;
    await sleep(LOOK_MS);
  }
}
