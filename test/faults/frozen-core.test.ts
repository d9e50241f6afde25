// One of two cores is frozen under calls over streams: it is detected as fast as for unary calls, and returns to the rotation.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createCoreClient } from "../../proto/client.ts";
import { untilStreaming } from "../support/served.ts";
import { goodToken } from "../support/start-served.ts";
import { expectPrompt } from "../support/thorough.ts";
import { waitFor } from "../support/wait-for.ts";

const PROCESS = fileURLToPath(new URL("served-core-process.ts", import.meta.url));

async function startCore(name: string): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [PROCESS, name], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, address: line.toString().trim() };
}

test("reads use the other core, none fails, and the frozen one gets calls again when it is back", async () => {
  const [a, b] = await Promise.all([startCore("a"), startCore("b")]);
  const client = createCoreClient({
    address: `ipv4:${a.address},${b.address}`,
    serviceToken: async () => goodToken(),
  });
  onTestFinished(() => client.close());
  await untilStreaming(client);
  const ask = async () => (await client.jobs.GetJob({ job_id: "j" }, { deadlineMs: 30_000 })).job_id;
  const both = async () => new Set([await ask(), await ask(), await ask(), await ask()]).size === 2;
  await waitFor("both to answer", both);

  a.child.kill("SIGSTOP");
  const frozenAt = performance.now();
  // A read at the frozen core is repeated at the other one once the connection counts as dead.
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set(["b"]));
  // A ping every 5 s has 2 s to be answered; the rest is for a busy machine.
  expectPrompt(performance.now() - frozenAt, 20_000);
  const then = performance.now();
  for (let i = 0; i < 20; i++) expect(await ask()).toBe("b");
  expectPrompt(performance.now() - then, 5_000);

  a.child.kill("SIGCONT");
  await waitFor("both to answer again", both);
});
