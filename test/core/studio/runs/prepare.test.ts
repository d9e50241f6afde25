// What a worker loads before its first job.
import { expect, test } from "vitest";
import { createLocalProvider } from "../../../../core/adapters/providers/local/provider.ts";
import type { Provider } from "../../../../core/adapters/providers/provider.ts";
import type { ModelDoc } from "../../../../core/kernel/definitions.ts";
import { prepareToCall } from "../../../../core/studio/runs/prepare.ts";
import { createLog } from "../../../../runtime/log/log.ts";

const log = createLog("silent", "test");

const model = (slug: string, provider: string, more: Partial<ModelDoc> = {}) =>
  [slug, { _id: slug, status: "live", provider, ...more } as ModelDoc] as const;

test("each provider of a live model is prepared once, whatever another one's preparation does", async () => {
  const prepared: string[] = [];
  const provider = (name: string) => {
    const warmStart = async () => {
      prepared.push(name);
      if (name === "broken") throw new Error("no fonts");
    };
    return [name, { name, warmStart } as unknown as Provider] as const;
  };
  const fallbacks = [{ provider: "backup", provider_model: "b", provider_options: {} }];
  const models = [
    model("a", "broken", { fallbacks }),
    model("b", "broken"),
    model("c", "unknown"),
    model("d", "retired", { status: "retired" }),
  ];
  await prepareToCall({
    models: async () => new Map(models),
    providers: new Map(["broken", "backup", "retired", "unused"].map(provider)),
    log,
  });
  expect(prepared).toEqual(["broken", "backup"]);
});

test("the embedded provider draws in both threads before its first job", async () => {
  let started = 0;
  const onWorker = () => void started++;
  process.on("worker", onWorker);
  const provider = createLocalProvider(log);
  await provider.warmStart?.();
  process.off("worker", onWorker);
  expect(started).toBe(2);
  await provider.close?.();
});
