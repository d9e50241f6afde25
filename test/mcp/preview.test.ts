// Previews: thumbnails of finished files as image content, within 64 kB, and a reason for each file without one.
import { beforeEach, describe, expect, test } from "vitest";
import { choosePictures } from "../../mcp/jobs/preview.ts";
import { toMessage } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import { type JobResource, outputSchema } from "../../proto/resources/job.ts";
import type { Job } from "../../proto/types/atelier/v1/Job.ts";
import type { Output } from "../../proto/types/atelier/v1/Output.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { AT } from "./core-in-memory.ts";
import { startEndpoint, type TestEndpoint, textOf, type ToolResult } from "./endpoint-server.ts";
import { asCurrent, callTool, PICTURE, request, TASKS } from "./messages.ts";

const endpoint = sharedByTests(() => startEndpoint({ ATELIER_RATE_LIMITS: "off" }));
beforeEach(async () => {
  const { core } = endpoint;
  core.jobs.clear();
  core.files.clear();
  core.reset();
  await endpoint.post(callTool("connect_generate", PICTURE));
});

type OutputResource = JobResource["outputs"][number];

/** A file with thumbnails of these sizes, narrowest first. */
function output(id: string, thumbnailBytes: readonly number[], more: Partial<OutputResource> = {}) {
  return {
    output_id: id,
    url: `https://atelier.example/api/jobs/job_1/outputs/${id}?signature=x`,
    mime_type: "image/png",
    bytes: 5_000_000_000,
    sha256: "ab".repeat(32),
    width: 64,
    height: 32,
    duration_seconds: null,
    expires_at: AT,
    thumbnails: thumbnailBytes.map((bytes, at) => ({
      url: `https://atelier.example/api/jobs/job_1/outputs/${id}_${at}?signature=x`,
      mime_type: "image/webp",
      width: 320 * (at + 1),
      height: 160,
      bytes,
    })),
    ...more,
  } satisfies OutputResource;
}

/** Ends job_1 with these files, whose thumbnails core has. */
function complete(...outputs: OutputResource[]): void {
  const { core } = endpoint;
  core.complete("job_1");
  Object.assign(core.jobs.get("job_1") ?? {}, {
    outputs: outputs.map((one) => toMessage<typeof outputSchema, Output>(outputSchema, one)),
  });
  for (const { thumbnails } of outputs)
    for (const { url, bytes } of thumbnails)
      core.files.set(new URL(url).pathname.split("/").at(-1) ?? "", new Uint8Array(bytes).fill(7));
}

const call: TestEndpoint["call"] = (...how) => endpoint.call(...how);
const preview = () => call("get_job", { job_id: "job_1", preview: true });
const lastLine = (result: ToolResult) => textOf(result).split("\n").at(-1);
const kinds = ({ content }: ToolResult) => content.map(({ type }) => type);

describe("a preview", () => {
  test("is each file's thumbnail as an image between text and links, read as the caller", async () => {
    complete(output("out_1", [30, 90]), output("out_2", [60]));
    const result = await preview();
    expect(result.isError).toBeUndefined();
    expect(kinds(result)).toEqual(["text", "image", "image", "resource_link", "resource_link"]);
    expect(result.content[1]).toEqual({
      type: "image",
      data: Buffer.alloc(90, 7).toString("base64"),
      mimeType: "image/webp",
      _meta: { output_id: "out_1" },
    });
    expect(lastLine(result)).toBe("Preview: 2 of 2 files.");
    const reads = endpoint.core.calls.filter(({ method }) => method === "jobs.ReadOutput");
    expect(reads).toMatchObject([
      {
        request: { job_id: "job_1", output_id: "out_1_1", length: 90 },
        options: { caller: { kind: "key" } },
      },
      { request: { output_id: "out_2_0" } },
    ]);
  });

  test("is sent on request only", async () => {
    complete(output("out_1", [30]));
    const plain = await call("get_job", { job_id: "job_1" });
    expect(await call("get_job", { job_id: "job_1", preview: false })).toEqual(plain);
    expect(kinds(plain)).toEqual(["text", "resource_link"]);
    expect(lastLine(plain)).toMatch(/^File /);
    expect(endpoint.core.calls.map(({ method }) => method)).not.toContain("jobs.ReadOutput");
    expect((await preview()).structuredContent).toEqual(plain.structuredContent);
  });

  test("never reads a whole file, and no more of a thumbnail than its declared size", async () => {
    complete(output("out_1", [30]));
    endpoint.core.files.set("out_1_0", new Uint8Array(1_000_000).fill(7));
    const { content } = await preview();
    expect(content[1]?.data).toBe(Buffer.alloc(30, 7).toString("base64"));
  });

  test("a preview of a running, failed or cancelled job is a sentence", async () => {
    const running = await preview();
    expect([kinds(running), lastLine(running)]).toEqual([["text"], "No preview yet: the job has not ended."]);
    endpoint.core.addEvent("job_1", "progress", { fraction: 0.4 });
    expect((await preview())._meta).toEqual({ progress: 0.4 });
    const error = { code: "provider_timeout", message: "The model took too long." };
    Object.assign(endpoint.core.jobs.get("job_1") as Job, { state: "failed", ended_at: AT, error });
    const failed = await preview();
    expect([failed.isError, lastLine(failed)]).toEqual([undefined, "No preview: the job has no files."]);
    expect(failed._meta).toBeUndefined();
  });

  test("gives the reason for each file without one", async () => {
    complete(
      output("out_1", [30]),
      output("out_2", [30], { deleted_at: AT }),
      output("out_3", [], { mime_type: "audio/wav" }),
      output("out_4", [], { mime_type: "audio/wav" }),
      output("out_5", []),
      output("out_6", [30]),
    );
    endpoint.core.files.delete("out_6_0");
    const result = await preview();
    expect(result.isError).toBeUndefined();
    expect(kinds(result).filter((kind) => kind === "image")).toHaveLength(1);
    expect(lastLine(result)).toBe(
      "Preview: 1 of 6 files. Left out: 2 audio, which has no picture; 1 without a small picture; 2 deleted or expired.",
    );
  });

  test.each(["service_unavailable", "rate_limited", "internal"] as const)(
    "does not fail the tool when core answers %s",
    async (code) => {
      complete(output("out_1", [30]));
      endpoint.core.fail("jobs.ReadOutput", () => new AppError(code));
      const result = await preview();
      expect(result.structuredContent).toMatchObject({ state: "completed" });
      expect(lastLine(result)).toBe(
        "Preview: 0 of 1 file. Left out: 1 not readable just now: call get_job again.",
      );
    },
  );

  test("has 64 kB of base64 at most, and counts the files beyond it", async () => {
    complete(...Array.from({ length: 6 }, (_, at) => output(`out_${at}`, [12_000, 40_000])));
    const result = await preview();
    const images = result.content.filter(({ type }) => type === "image");
    expect(images.map(({ data }) => data?.length)).toEqual([16_000, 16_000, 16_000, 16_000]);
    expect(lastLine(result)).toBe("Preview: 4 of 6 files. Left out: 2 beyond the 64 kB of a preview.");
  });
});

test("wide thumbnails are used when all fit, then narrow ones, and a smaller one may follow one that is too large", () => {
  const widths = (outputs: OutputResource[]) => {
    const { pictures, leftOut } = choosePictures(outputs);
    return [pictures.map(({ outputId, thumbnail }) => `${outputId} ${thumbnail.width}`), leftOut];
  };
  expect(widths([output("a", [9_000, 48_000])])).toEqual([["a 640"], []]);
  expect(widths([output("a", [9_000, 48_001])])).toEqual([["a 320"], []]);
  expect(widths([output("a", [48_000]), output("b", [3])])).toEqual([["a 320"], ["limit"]]);
  expect(widths([output("a", [48_001]), output("b", [3])])).toEqual([["b 320"], ["limit"]]);
  expect(widths([])).toEqual([[], []]);
});

describe("connect_generate", () => {
  test("shows its files after a wait, and names get_job otherwise", async () => {
    const soon = await call("connect_generate", { ...PICTURE, preview: true });
    expect(lastLine(soon)).toBe(
      "Next: call get_job with this job_id, preview and wait_seconds up to 45 until the job has ended.",
    );
    const again = { ...PICTURE, idempotency_key: "once", preview: true };
    await call("connect_generate", again);
    const waiting = call("connect_generate", { ...again, wait_seconds: 45 });
    await waitFor("the wait", () => endpoint.core.calls.some(({ method }) => method === "jobs.GetJob"));
    endpoint.core.complete("job_3");
    expect(lastLine(await waiting)).toBe("Preview: 0 of 1 file. Left out: 1 without a small picture.");
    const generates = endpoint.core.calls.filter(({ method }) => method === "jobs.Generate");
    for (const { request: sent } of generates) expect(sent).not.toHaveProperty("preview");
  });

  test("creates a task with .preview in its id, whose result has the preview", async () => {
    const send = async (message: ReturnType<typeof request>) => {
      const { body, headers } = asCurrent(message, TASKS);
      const { json } = await endpoint.post(body, headers);
      return (json as { result: Record<string, unknown> }).result;
    };
    const generate = callTool("connect_generate", { ...PICTURE, preview: true });
    const { taskId } = (await send(generate)) as { taskId: string };
    expect(taskId).toBe("job_2.preview");
    expect(await send(request("tasks/get", { taskId }))).toMatchObject({ taskId, status: "working" });
    endpoint.core.complete("job_2");
    const ended = await send(request("tasks/get", { taskId }));
    expect(ended).toMatchObject({ taskId, status: "completed" });
    expect(lastLine(ended["result"] as ToolResult)).toMatch(/^Preview: 0 of 1 file/);
    const plain = await send(request("tasks/get", { taskId: "job_2" }));
    expect(lastLine(plain["result"] as ToolResult)).toMatch(/^File /);
    expect(await send(request("tasks/cancel", { taskId }))).toMatchObject({
      resultType: "complete",
    });
  });
});
