// A job of a deleted account keeps nothing of its owner's text, in any field of the request.
import { expect, test } from "vitest";
import { eraseJobs } from "../../../../core/studio/jobs/store-archive.ts";
import { jobs } from "../../../../core/studio/jobs/store.ts";
import { generateRequestSchema } from "../../../../proto/resources/job.ts";
import { jobDoc } from "../../../fixtures/docs.ts";
import { useTestDatabase } from "../../../support/database.ts";

const database = useTestDatabase();

test("an erased job keeps only the model of its request", async () => {
  const { db } = database.mongo;
  const fields = Object.keys(generateRequestSchema.shape);
  const asked = Object.fromEntries(fields.map((name) => [name, `words of ${name}`]));
  // The provider's handle may contain text too.
  const call = { provider: "p", provider_model: "m", at: new Date(), handle: "words of the handle" };
  await jobs(db).insertOne({ ...jobDoc("completed"), ...asked, call });
  await eraseJobs(db, "acc_1", ["job_1"]);
  const left = await jobs(db).findOne({ _id: "job_1" });
  expect(fields.filter((name) => JSON.stringify(left).includes(`words of ${name}`))).toEqual([
    "modality",
    "model_slug",
  ]);
  expect(JSON.stringify(left)).not.toContain("words of the handle");
  expect(left).toMatchObject({ prompt: "", params: {}, metadata: {}, callback_url: null, credits: 5 });
});
