// Runs the samples of the clients' READMEs in programs that have installed the clients from their folders.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signingHeaders } from "../../core/studio/webhooks/sign.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { startProcess } from "../../scripts/testbed/processes.ts";
import { picture } from "../core/studio/uploads/pictures.ts";
import { useFolder } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { type ClientFixture, openClientFixture } from "./client-world.ts";

const CLIENTS = fileURLToPath(new URL("../../clients", import.meta.url));
const SECRET = `whsec_${Buffer.from("a secret of thirty-two bytes, yes").toString("base64")}`;

type Sample = { readonly code: string; readonly command: readonly string[] };

let world: ClientFixture;
const work = useFolder();
beforeAll(async () => {
  writeFileSync(work("package.json"), '{"type":"module"}');
  writeFileSync(work("photo.png"), await picture());
  const options = ["--offline", "--no-audit", "--no-fund", "--silent"];
  execFileSync("npm", ["install", ...options, join(CLIENTS, "js")], { cwd: work() });
  world = await openClientFixture();
});
afterAll(() => world.close());

/** All code blocks in this language, in order. */
function samplesOf(folder: string, language: string, run: (file: string) => readonly string[]): Sample[] {
  const text = readFileSync(join(CLIENTS, folder, "README.md"), "utf8");
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))];
  return blocks.map(([, code = ""], i) => ({ code, command: run(`sample-${i}.${language}`) }));
}

/** Starts a sample against the service. */
function start({ code, command }: Sample, port: number) {
  const [program = "", ...args] = command;
  writeFileSync(work(args.at(-1) ?? ""), code.replaceAll("https://atelier.example", world.service.url));
  return startProcess(command.join(" "), program, args, {
    cwd: work(),
    env: {
      PYTHONPATH: join(CLIENTS, "python/src"),
      PYTHONDONTWRITEBYTECODE: "1",
      ATELIER_KEY: world.key,
      ATELIER_CALLBACK_SECRET: SECRET,
      PORT: String(port),
    },
  });
}

async function outputOf(sample: Sample | undefined): Promise<string> {
  const running = start(sample ?? expect.unreachable(), 0);
  expect(await running.ended, running.output()).toBe(0);
  return running.stdout();
}

const LANGUAGES = [
  ["JavaScript", samplesOf("js", "js", (file) => [process.execPath, file]), true],
  ["Python", samplesOf("python", "python", (file) => ["python3", file]), hasPython()],
] as const;

function hasPython(): boolean {
  return spawnSync("python3", ["--version"]).status === 0;
}

describe.each(LANGUAGES)("[CLIENT-05] samples for %s", (language, samples, canRun) => {
  test.skipIf(!canRun)("run and print what their page says", async () => {
    const [making, watching, failing, _receiving, listing] = samples;
    expect(samples).toHaveLength(5);
    const [made, watched, failed, listed] = await Promise.all(
      [making, watching, failing, listing].map(outputOf),
    );
    expect(made).toMatch(/^http\S+\/api\/jobs\/job_\w+\/outputs\/\S+\n$/);
    expect(watched).toMatch(/^1 reserved\n2 debited\n3 running\n(.*\n)*\d completed\n$/);
    expect(failed).toMatch(/^invalid_request .*params\.width.* req_\w+\n$/s);
    expect(listed).toMatch(language === "Python" ? /^3 True$/m : /^3 true$/m);
  });

  test.skipIf(!canRun)("accept genuine webhooks and refuse others", async () => {
    const port = await freePort();
    const receiver = start(samples[3] ?? expect.unreachable(), port);
    const body = JSON.stringify({ event: "job.completed", delivery_id: "dlv_1", job: { job_id: "job_1" } });
    const headers = signingHeaders(
      { deliveryId: "dlv_1", event: "job.completed", body: Buffer.from(body), at: new Date() },
      { plain: SECRET, standard: [SECRET] },
    );
    const send = async (text: string) =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: text })).status;
    try {
      expect(await waitFor("the receiver", () => send(body.replace("job_1", "job_2")))).toBe(400);
      expect(await send(body)).toBe(204);
      await receiver.until("its words", () => receiver.stdout().includes("job.completed"));
    } finally {
      await receiver.stop();
    }
  });
});
