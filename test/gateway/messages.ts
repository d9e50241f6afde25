// Messages of core for tests of the gateway: a complete job and its parts.
import { JOB } from "../../gateway/openapi/examples.ts";
import { toMessage } from "../../proto/codec.ts";
import { jobSchema } from "../../proto/resources/job.ts";
import type { Job } from "../../proto/types/atelier/v1/Job.ts";
import type { JobEvent } from "../../proto/types/atelier/v1/JobEvent.ts";
import type { LedgerEntry } from "../../proto/types/atelier/v1/LedgerEntry.ts";

const AT = "2026-01-31T09:30:00.000Z";

export const RESERVED_EVENT: JobEvent = {
  seq: 1,
  type: "reserved",
  state: "reserved",
  at: AT,
  ledger_entry_id: "led_1",
  detail_json: '{"credits":4}',
};
export const DEBITED_EVENT: JobEvent = {
  seq: 2,
  type: "debited",
  state: "running",
  at: AT,
  ledger_entry_id: "led_2",
  detail_json: "",
};
export const COMPLETED_EVENT: JobEvent = {
  seq: 3,
  type: "completed",
  state: "completed",
  at: AT,
  detail_json: '{"outputs":1}',
};

const { ended_at: _ended, ...running } = toMessage<typeof jobSchema, Job>(jobSchema, JOB);

export const RUNNING_JOB: Job = {
  ...running,
  job_id: "job_1",
  state: "running",
  modality: "image",
  model_slug: "draft",
  prompt: "a lighthouse",
  params_json: '{"width":64}',
  metadata: { order: "7" },
  created_at: AT,
  started_at: AT,
  events: [RESERVED_EVENT, DEBITED_EVENT],
  outputs: [],
  error: null,
  callback: { url: "https://example.com/hook", status: "pending", attempts: 0 },
  version: 2,
};

export const COMPLETED_JOB: Job = {
  ...RUNNING_JOB,
  state: "completed",
  ended_at: AT,
  events: [RESERVED_EVENT, DEBITED_EVENT, COMPLETED_EVENT],
  outputs: [
    {
      output_id: "out_1",
      url: "https://generate.example.com/api/jobs/job_1/outputs/out_1?account=a&expires=1&signature=s",
      mime_type: "image/png",
      bytes: 10,
      sha256: "ab12",
      width: 64,
      height: 64,
      expires_at: AT,
      understood: null,
      thumbnails: [],
    },
  ],
  version: 3,
};

export const LEDGER_ENTRY: LedgerEntry = {
  entry_id: "led_1",
  seq: 1,
  kind: "grant",
  amount: 100,
  hold: 0,
  balance_after: 100,
  held_after: 0,
  source: "system",
  created_at: AT,
  prev_hash: "0".repeat(64),
  hash: "1".repeat(64),
  grants: [],
};
