// One of two cores is frozen under calls over streams: it is detected as fast as for unary calls, and returns to the rotation.
import { expect, onTestFinished, test } from "vitest";
import { createCoreClient } from "../../proto/client.ts";
import { type ServiceProcess, startEntry } from "../../scripts/testbed/processes.ts";
import { untilStreaming } from "../support/served.ts";
import { goodToken } from "../support/start-served.ts";
import { expectPrompt } from "../support/thorough.ts";
import { waitFor } from "../support/wait-for.ts";

async function startCore(name: string): Promise<{ core: ServiceProcess; address: string }> {
  const core = startEntry("test/faults/served-core-process.ts", {}, { args: [name] });
  onTestFinished(() => core.signal("SIGKILL"));
  await core.until("its address", () => core.stdout().endsWith("\n"));
  return { core, address: core.stdout().trim() };
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

  await a.core.signal("SIGSTOP");
  const frozenAt = performance.now();
  // A read at the frozen core is repeated at the other one once the connection counts as dead.
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set(["b"]));
  // A ping every 5 s has 2 s to be answered; the rest is for a busy machine.
  expectPrompt(performance.now() - frozenAt, 20_000);
  const then = performance.now();
  for (let i = 0; i < 20; i++) expect(await ask()).toBe("b");
  expectPrompt(performance.now() - then, 5_000);

  await a.core.signal("SIGCONT");
  await waitFor("both to answer again", both);
});
