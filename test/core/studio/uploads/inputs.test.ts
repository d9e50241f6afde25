import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProviderCall, ProviderInput } from "../../../../core/adapters/providers/provider.ts";
import { createKey } from "../../../../core/identity/accounts/create-key.ts";
import { answerApproval } from "../../../../core/identity/approvals/answer.ts";
import { orAsk } from "../../../../core/identity/approvals/ask.ts";
import { removeExpiredOutputs } from "../../../../core/kernel/outputs/expire.ts";
import { eraseAccount } from "../../../../core/operations/privacy/erase-accounts.ts";
import { type AcceptedJob, acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { AcceptRequest } from "../../../../core/studio/jobs/check-request.ts";
import { findOwnJob } from "../../../../core/studio/jobs/get.ts";
import { withInputs } from "../../../../core/studio/jobs/inputs.ts";
import { isEnded } from "../../../../core/studio/jobs/rules.ts";
import { startWorker } from "../../../../core/studio/runs/worker.ts";
import { deleteOwnUpload } from "../../../../core/studio/uploads/own-uploads.ts";
import {
  createUploadReceiver,
  type UploadReceiver,
  receiveUpload,
} from "../../../../core/studio/uploads/receive.ts";
import { startApproved } from "../../../../core/studio/workflows/start-approved.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { AppError } from "../../../../proto/codes.ts";
import type { JobRequest } from "../../../../proto/resources/job.ts";
import { hashApiKey } from "../../../../runtime/keys/api-key.ts";
import { addTestModel, createCustomer, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../../../support/providers.ts";
import { serve } from "../../../support/serve.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { inPieces, picture } from "./pictures.ts";

/** The provider's input, by param. */
type Given = { readonly input: ProviderInput; readonly bytes: Uint8Array };
let given: Map<string, Given>;
let intake: UploadReceiver;
let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
const provider = createScriptedProvider({
  answer: async (_request, call: ProviderCall) => {
    given = new Map(
      await Promise.all(
        [...call.inputs].map(async ([param, input]): Promise<[string, Given]> => [
          param,
          { input, bytes: await input.read() },
        ]),
      ),
    );
    return [SMALL_OUTPUT];
  },
});
const FEW_UPLOADS = 3;
const PLACES = 2;
const env = {
  ATELIER_INPUT_FETCH_MS: "1500",
  ATELIER_UPLOADS_KEPT: String(FEW_UPLOADS),
  ATELIER_UPLOADS_PER_ACCOUNT: String(PLACES),
};
const testApp = useTestApp({ provider, clock, env });
beforeAll(async () => {
  await addTestModel(testApp.app, {
    model_slug: "restyle",
    params_schema: {
      type: "object",
      properties: {
        image: { type: "string", format: "atelier-input", "x-accept": "image" },
        mask: { type: "string", format: "atelier-input", "x-accept": ["image"] },
        style: { type: "string", format: "atelier-input" },
      },
      required: ["image"],
      additionalProperties: false,
    },
  });
  intake = createUploadReceiver(testApp.app, async (name) => {
    if (name === "inside.example") return ["10.0.0.7"];
    throw new Error(`nobody should look up ${name}`);
  });
});
afterAll(() => intake.close());

function acceptOne(asked: AcceptRequest): Promise<AcceptedJob> {
  const { signal } = new AbortController();
  return withInputs(testApp.app, intake, asked, signal, async (one) => {
    const [result] = await acceptJobs(testApp.app, [one]);
    if (result?.status === "fulfilled") return result.value;
    throw result?.reason;
  });
}

/** Generates, and returns the job or the refusal. */
async function ask(caller: Caller, params: Record<string, unknown>, idempotencyKey: string | null = null) {
  const request: JobRequest = { modality: "image", model_slug: "restyle", prompt: "as ink", params };
  try {
    return await acceptOne({ caller, request, idempotencyKey });
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

async function accepted(...asked: Parameters<typeof ask>) {
  const answer = await ask(...asked);
  if (answer instanceof AppError) throw answer;
  return answer.job;
}

async function run(accountId: string, jobId: string) {
  const worker = startWorker(testApp.app, { concurrency: 4, leaseMs: 15_000 });
  try {
    return await waitFor("the job to end", async () => {
      const job = await findOwnJob(testApp.app, accountId, jobId);
      return isEnded(job.state) && job;
    });
  } finally {
    await worker.stop(100);
  }
}

function upload(accountId: string, bytes: Uint8Array) {
  const { signal } = new AbortController();
  return receiveUpload(testApp.app, intake, accountId, { pieces: inPieces(bytes), signal });
}

const collection = (name: string) => testApp.database.mongo.db.collection<{ _id: string }>(name);
const countKept = async (accountId: string) => ({
  uploads: await collection("uploads").countDocuments({ account_id: accountId }),
  files: await collection("outputs.files").countDocuments({
    "metadata.account_id": accountId,
    "metadata.upload_id": { $exists: true },
  }),
});
const NOTHING = { uploads: 0, files: 0 };
/** Neither a job nor a held credit. */
async function untouched(accountId: string) {
  expect(await collection("jobs").countDocuments({ account_id: accountId })).toBe(0);
  expect(await collection("accounts").findOne({ _id: accountId })).toMatchObject({ balance: 1000, held: 0 });
}

describe("[INP-02] a job's inputs", () => {
  test("are the content of a URL at acceptance, whatever it returns later", async () => {
    const { accountId, caller } = await createCustomer(testApp.app);
    const pictures = [await picture("png", 32), await picture("png", 64)];
    let asked = 0;
    const base = await serve((request, response) => {
      if (request.url === "/moved") return void response.writeHead(302, { location: "/now.png" }).end();
      response.end(pictures[Math.min(asked++, 1)]);
    });
    const params = { image: `${base}/moved` };
    const job = await accepted(caller, params, "key-1");
    const again = await ask(caller, params, "key-1");
    expect(again).toMatchObject({ replayed: true, job: { _id: job._id } });
    expect(asked).toBe(1);
    expect(job.params).toEqual(params);
    expect(await run(accountId, job._id)).toMatchObject({ state: "completed" });
    expect(given.get("image")?.input).toMatchObject({ width: 32, mimeType: "image/png" });
  });

  test("do not count as uploads that the account keeps once they are fetched", async () => {
    const { accountId, caller } = await createCustomer(testApp.app);
    const content = await picture("png", 32);
    const base = await serve((_request, response) => void response.end(content));
    for (let n = 0; n <= FEW_UPLOADS; n++) await accepted(caller, { image: `${base}/${n}.png` });
    for (let n = 0; n < FEW_UPLOADS; n++) await upload(accountId, await picture("png", 32 * (n + 1)));
    await expect(upload(accountId, content)).rejects.toMatchObject({ code: "upload_limit_reached" });
  });

  test("may be more URLs than the account's places for uploads: some are fetched after others", async () => {
    const { accountId, caller } = await createCustomer(testApp.app);
    const content = await picture("png", 32);
    let open = 0;
    let mostOpen = 0;
    const allHeld = Promise.withResolvers<void>();
    const hold = Promise.withResolvers<void>();
    const base = await serve((_request, response) => {
      mostOpen = Math.max(mostOpen, ++open);
      response.on("close", () => open--);
      if (open === PLACES) allHeld.resolve();
      void hold.promise.then(() => response.end(content));
    });
    const params = { image: `${base}/1.png`, mask: `${base}/2.png`, style: `${base}/3.png` };
    const asked = accepted(caller, params);
    await Promise.race([allHeld.promise, asked]);
    expect(await ask(caller, { image: `${base}/4.png` })).toMatchObject({ code: "rate_limited" });
    hold.resolve();
    expect((await asked).inputs?.map(({ param }) => param)).toEqual(["image", "mask", "style"]);
    expect(mostOpen).toBe(PLACES);
    // The places are free again, also after a refusal.
    expect(
      await ask(caller, { ...params, style: `${base}/5.png`, mask: "https://10.0.0.7/a.png" }),
    ).toMatchObject({ code: "input_unreachable" });
    expect(await accepted(caller, params)).toMatchObject({ account_id: accountId });
  });

  test("[CNF-07] is not needed any more by a repeat that gets the job which an approval has started", async () => {
    const { accountId } = await createCustomer(testApp.app);
    const wanted = { name: "agent", scope: "write", expiresAt: null, confirmAbove: 1 };
    const { secret } = await createKey(testApp.app, accountId, wanted);
    const caller: Caller = { kind: "key", keySha256: hashApiKey(secret), source: "api" };
    const { _id: image } = await upload(accountId, await picture());
    const refused = await orAsk(testApp.app, () => accepted(caller, { image })).catch(
      (error: AppError) => error,
    );
    const approvalId = (refused instanceof AppError && refused.facts?.["confirmation_id"]) || "";
    const answered = await answerApproval(testApp.app, { accountId, approvalId }, true);
    const { job_id } = await startApproved(testApp.app, answered, {
      job: acceptOne,
      workflow: () => Promise.reject(new Error("no workflow was asked for")),
    });
    await deleteOwnUpload(testApp.app, accountId, image);
    expect((await accepted(caller, { image }))._id).toBe(job_id);
  });

  test("are not found when foreign, unknown or expired, and nothing is held", async () => {
    const owner = await createCustomer(testApp.app);
    const other = await createCustomer(testApp.app);
    const { _id: uploadId } = await upload(owner.accountId, await picture());
    const job = await accepted(owner.caller, { image: uploadId });
    const outputId = (await run(owner.accountId, job._id)).outputs[0]?.output_id ?? "";
    const never = `upl_${"0".repeat(26)}`;
    const answers = [];
    for (const image of [uploadId, outputId, never]) answers.push(await ask(other.caller, { image }));
    expect(new Set(answers.map((answer) => JSON.stringify({ ...(answer as object) }))).size).toBe(1);
    expect(answers[0]).toMatchObject({
      code: "upload_not_found",
      issues: [{ path: "params.image" }],
    });
    await untouched(other.accountId);
    aheadMs += 8 * 24 * 60 * 60 * 1000;
    expect(await ask(owner.caller, { image: uploadId })).toMatchObject({ code: "upload_not_found" });
    aheadMs = 0;
  });

  test("must be of a kind that the model accepts, and a value that can name a file", async () => {
    const { accountId, caller } = await createCustomer(testApp.app);
    const base = await serve((_request, response) =>
      response.end("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    );
    expect(await ask(caller, { image: `${base}/a.svg` })).toMatchObject({ code: "unsupported_input" });
    expect(await ask(caller, { image: "a picture of mine" })).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "params.image", message: expect.stringContaining("upload_id") }],
    });
    await untouched(accountId);
    expect(await countKept(accountId)).toEqual(NOTHING);
  });

  test("stay readable for a waiting job when their upload is deleted or expires", async () => {
    const { accountId, caller } = await createCustomer(testApp.app);
    const { _id: uploadId } = await upload(accountId, await picture());
    const job = await accepted(caller, { image: uploadId });
    await deleteOwnUpload(testApp.app, accountId, uploadId);
    await removeExpiredOutputs(testApp.app);
    expect(await ask(caller, { image: uploadId })).toMatchObject({ code: "upload_not_found" });
    expect(await run(accountId, job._id)).toMatchObject({ state: "completed" });
    // They are removed once the job has ended.
    aheadMs += 26 * 60 * 60 * 1000;
    await removeExpiredOutputs(testApp.app);
    aheadMs = 0;
    expect(await countKept(accountId)).toEqual(NOTHING);
  });

  test("leave nothing behind when the job is refused for another reason", async () => {
    const { accountId, caller } = await createCustomer(testApp.app, { credits: 3 });
    const base = await serve((_request, response) => void picture().then((bytes) => response.end(bytes)));
    expect(await ask(caller, { image: `${base}/a.png` })).toMatchObject({ code: "insufficient_credits" });
    expect(await countKept(accountId)).toEqual(NOTHING);
  });

  test("are deleted with their account", async () => {
    const { accountId, caller } = await createCustomer(testApp.app);
    const { _id: uploadId } = await upload(accountId, await picture());
    const job = await accepted(caller, { image: uploadId });
    await run(accountId, job._id);
    expect(await countKept(accountId)).toEqual({ uploads: 1, files: 1 });
    expect(await eraseAccount(testApp.app, { _id: accountId, deleted_at: new Date(0) })).toBe(true);
    expect(await countKept(accountId)).toEqual(NOTHING);
    expect(await collection("jobs").findOne({ _id: job._id })).not.toHaveProperty("inputs");
  });

  test("refund the job when they are missing at its start", async () => {
    const { accountId, caller } = await createCustomer(testApp.app);
    const { _id: uploadId } = await upload(accountId, await picture());
    const job = await accepted(caller, { image: uploadId });
    await collection("outputs.files").deleteOne({ _id: uploadId });
    expect(await run(accountId, job._id)).toMatchObject({
      state: "failed",
      error: { code: "provider_failed", message: "An input of the job could not be read." },
    });
    expect(await collection("accounts").findOne({ _id: accountId })).toMatchObject({
      balance: 1000,
      held: 0,
    });
    expect(await auditFindings(testApp.app)).toEqual([]);
  });
});

describe("[INP-03] a URL that a job names", () => {
  /** The refusal's code and message; nothing is stored, and nothing held. */
  async function refusal(image: string) {
    const { accountId, caller } = await createCustomer(testApp.app);
    const answer = await ask(caller, { image });
    await untouched(accountId);
    expect(await countKept(accountId)).toEqual(NOTHING);
    if (!(answer instanceof AppError)) throw new Error("the address was taken");
    expect(answer.message).not.toMatch(/10\.0|127\.0|stack/);
    return `${answer.code}: ${answer.message.replace(/^.*?: /, "")}`;
  }

  test("may not lead to an inside address, directly, by name or by redirect", async () => {
    const inside = "is not an address on the public internet";
    expect(await refusal("https://10.0.0.7/a.png")).toBe(`input_unreachable: it ${inside}.`);
    expect(await refusal("https://[::ffff:10.0.0.7]/a.png")).toBe(`input_unreachable: it ${inside}.`);
    expect(await refusal("https://inside.example/a.png")).toBe("input_unreachable: refused address.");
    expect(await refusal("http://example.com/a.png")).toBe(
      "input_unreachable: it does not start with https://.",
    );
    expect(await refusal("https://me:secret@example.com/a.png")).toMatch(/user name or password/);
    const base = await serve((request, response) => {
      const location = request.url === "/literal" ? "https://10.0.0.7/a.png" : "https://inside.example/a.png";
      response.writeHead(307, { location }).end();
    });
    expect(await refusal(`${base}/literal`)).toBe(`input_unreachable: it leads to one that ${inside}.`);
    expect(await refusal(`${base}/name`)).toBe("input_unreachable: refused address.");
  });

  test("must respond in time with a file below the size limit", async () => {
    const base = await serve((request, response) => {
      if (request.url === "/loop") return void response.writeHead(302, { location: "/loop" }).end();
      if (request.url === "/gone") return void response.writeHead(404).end("no");
      if (request.url === "/huge") {
        response.write(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(256 * 1024)));
          if (!response.destroyed) response.once("drain", more);
        };
        return more();
      }
      // The response never ends.
      response.write(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
      const timer = setInterval(() => response.write("a"), 50);
      response.on("close", () => clearInterval(timer));
    });
    expect(await refusal(`${base}/loop`)).toMatch(
      /^input_unreachable: it leads from one address to the next/,
    );
    expect(await refusal(`${base}/gone`)).toBe("input_unreachable: it was answered with status 404.");
    expect(await refusal(`${base}/huge`)).toMatch(/^upload_too_large: .*25 MiB/);
    expect(await refusal(`${base}/slow`)).toBe("input_unreachable: timed out.");
    expect(await refusal("http://127.0.0.1:1/a.png")).toBe("input_unreachable: no connection.");
  });
});
