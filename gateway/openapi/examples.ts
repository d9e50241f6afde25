// One job as it looks in every answer about it: the examples of the OpenAPI document. A test holds them against the schemas.
import type { DeliveryResource } from "../../proto/resources/callback.ts";
import { hashLedgerEntry, type LedgerEntryResource } from "../../proto/resources/credits.ts";
import type { EstimateResource } from "../../proto/resources/estimate.ts";
import type { EventResource } from "../../proto/resources/event.ts";
import { type JobEventResource, type JobResource, jobSchema } from "../../proto/resources/job.ts";
import type { LogProofResource, SolvencyProofResource } from "../../proto/resources/log-proof.ts";
import { RECEIPT_TYPE, type ReceiptPayload } from "../../proto/resources/receipt.ts";
import type { UploadAddressResource, UploadResource } from "../../proto/resources/upload.ts";
import type { VerifiedFile } from "../../proto/resources/verified-file.ts";
import type { VerifiedOutput } from "../../proto/resources/verified-output.ts";
import type { MeAnswer } from "../answers/me.ts";
import { fill } from "./fill.ts";

const JOB_ID = "job_01JZ8Q4M3V6X9T2B7N5D8KAYEF";
const OUTPUT_ID = "out_01JZ8Q4Q5C1W8H4R6P3S9MBGJT";
const CREATED_AT = "2026-01-31T09:30:00.000Z";
const STARTED_AT = "2026-01-31T09:30:00.250Z";
const ENDED_AT = "2026-01-31T09:30:02.125Z";
const MODEL = "atelier-canvas";

export const GENERATE_REQUEST = {
  modality: "image",
  model_slug: MODEL,
  prompt: "A lighthouse at dusk, seen from the water",
  callback_url: "https://example.com/hooks/atelier",
  metadata: { order: "4711" },
};

const UPLOAD_ID = "upl_01JZ8Q3T9B4M7C2X6V8N5KD1RA";

export const UPLOAD: UploadResource = {
  upload_id: UPLOAD_ID,
  kind: "image",
  mime_type: "image/jpeg",
  bytes: 184_302,
  sha256: "4b1f0f7c2a9d8e6b5c3a2910f8e7d6c5b4a3928170f6e5d4c3b2a1908f7e6d5c",
  width: 1024,
  height: 768,
  duration_seconds: null,
  expires_at: "2026-02-07T09:29:00.000Z",
};

export const UPLOAD_ADDRESS: UploadAddressResource = {
  upload_id: UPLOAD_ID,
  method: "PUT",
  url: `https://generate.example.com/api/uploads/${UPLOAD_ID}?account=acc_01JZ8P&expires=1769852640&signature=p2Wd`,
  headers: {},
  max_bytes: 184_302,
  expires_at: "2026-01-31T09:44:00.000Z",
  finish_url: null,
};

export const GENERATE_RESULT = {
  job_id: JOB_ID,
  state: "reserved",
  modality: "image",
  model_slug: MODEL,
  credits_reserved: 4,
  estimated_seconds: 2,
};
const LOG_ORIGIN = "generate.example.com/log/01JZ0000000000000000000000";
const LOG_ROOT = "ymqJdo+4xnT0ttvOUSeFJ6vYQr1q0VsXUeMbDJ8Ol1w=";

const moneyEvent = (event: Pick<JobEventResource, "seq" | "type" | "state" | "at">, entry: string) => ({
  ...event,
  ledger_entry_id: `led_${JOB_ID.slice(4)}_${entry}`,
  detail: { credits: 4 },
});
const thumbnail = (id: string, side: number, bytes: number) => ({
  url: `https://generate.example.com/api/jobs/${JOB_ID}/outputs/${id}?account=acc_01JZ8P&expires=1769855402&signature=b7Qd`,
  mime_type: "image/webp",
  width: side,
  height: side,
  bytes,
});
const EVENTS: JobEventResource[] = [
  moneyEvent({ seq: 1, type: "reserved", state: "reserved", at: CREATED_AT }, "reserve"),
  moneyEvent({ seq: 2, type: "debited", state: "running", at: STARTED_AT }, "debit"),
  { seq: 3, type: "running", state: "running", at: STARTED_AT, detail: {} },
  { seq: 4, type: "completed", state: "completed", at: ENDED_AT, detail: { outputs: [OUTPUT_ID] } },
];

export const JOB_EVENT = `id: 4\nevent: completed\ndata: ${JSON.stringify(EVENTS[3])}\n\n`;

export const JOB: JobResource = fill(jobSchema, {
  job_id: JOB_ID,
  state: "completed",
  modality: "image",
  model_slug: MODEL,
  prompt: GENERATE_REQUEST.prompt,
  params: {},
  metadata: GENERATE_REQUEST.metadata,
  source: "api",
  credits_reserved: 4,
  credits_charged: 4,
  delivered: { unit: "output", asked: 1, got: 1 },
  priced_by: { version: 1, unit: "image", units: 1, credits: 4, when: null },
  estimated_seconds: 2,
  queue_position: null,
  created_at: CREATED_AT,
  started_at: STARTED_AT,
  ended_at: ENDED_AT,
  events: EVENTS,
  outputs: [
    {
      output_id: OUTPUT_ID,
      url: `https://generate.example.com/api/jobs/${JOB_ID}/outputs/${OUTPUT_ID}?account=acc_01JZ8P&expires=1769855402&signature=k3Jx`,
      mime_type: "image/png",
      bytes: 48_213,
      content_credentials: "signed",
      sha256: "9f2c1b7e4a5d8036c1f0e2b3a4958677d6c5b4a39281706f5e4d3c2b1a09f8e7",
      width: 1024,
      height: 1024,
      duration_seconds: null,
      expires_at: "2026-03-02T09:30:02.125Z",
      thumbnails: [
        thumbnail("thm_01JZ8Q0F3Q2M5T7W9YB4D6G8HK", 320, 8_214),
        thumbnail("thm_01JZ8Q0F3R6N1V4X8ZC2F5H7JM", 640, 21_630),
      ],
    },
  ],
  error: null,
  callback: { url: GENERATE_REQUEST.callback_url, status: "delivered", attempts: 1 },
});

export const JWK = {
  kty: "OKP",
  crv: "Ed25519",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  alg: "EdDSA",
  use: "sig",
} as const;

const RECEIPT_PAYLOAD: ReceiptPayload = {
  iss: "https://generate.example.com",
  iat: Math.floor(Date.parse(ENDED_AT) / 1000),
  job_id: JOB_ID,
  version: EVENTS.length,
  state: "completed",
  modality: "image",
  model: MODEL,
  provider: "local",
  request_sha256: "5b0d6f7c2a9d8e6b5c3a2910f8e7d6c5b4a3928170f6e5d4c3b2a1908f7e6d5c",
  credits: { reserved: 4, captured: 4, refunded: 0 },
  entries: [
    { entry_id: `led_${JOB_ID.slice(4)}_reserve`, seq: 2, kind: "reserve", hash: "3b7d5e9f1a2c4068" },
    { entry_id: `led_${JOB_ID.slice(4)}_debit`, seq: 3, kind: "debit", hash: "f894b446ef57c0a1" },
  ],
  outputs: JOB.outputs.map(({ output_id, sha256 }) => ({ output_id, sha256 })),
};
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
export const RECEIPT = {
  receipt: [
    base64url({ alg: JWK.alg, typ: RECEIPT_TYPE, kid: JWK.kid }),
    base64url(RECEIPT_PAYLOAD),
    Buffer.alloc(64).toString("base64url"),
  ].join("."),
  payload: RECEIPT_PAYLOAD,
};

export const CANCELLED_JOB: JobResource = {
  ...JOB,
  state: "cancelled",
  credits_charged: 0,
  delivered: null,
  started_at: null,
  ended_at: STARTED_AT,
  events: [
    ...EVENTS.slice(0, 1),
    moneyEvent({ seq: 2, type: "released", state: "cancelled", at: STARTED_AT }, "release"),
    { seq: 3, type: "cancelled", state: "cancelled", at: STARTED_AT, detail: {} },
  ],
  outputs: [],
  callback: { url: GENERATE_REQUEST.callback_url, status: "pending", attempts: 0 },
};

export const ESTIMATE: EstimateResource = {
  modality: "image",
  model_slug: MODEL,
  credits: 4,
  units: 1,
  per: "image",
  priced_by: { version: 1, unit: "image", units: 1, credits: 4, when: null },
  estimated_seconds: 2,
  params: { width: 1024, height: 1024, count: 1 },
  credits_available: 996,
  affordable: true,
  key_credits_left: 480,
  needs_confirmation: false,
};

export const CANCELLING_JOB: JobResource = {
  ...CANCELLED_JOB,
  state: "cancelling",
  credits_charged: JOB.credits_charged,
  started_at: STARTED_AT,
  ended_at: null,
  events: [
    ...EVENTS.slice(0, 3),
    { seq: 4, type: "cancelling", state: "cancelling", at: STARTED_AT, detail: {} },
  ],
};

export const VERIFIED_OUTPUT: VerifiedOutput = {
  made: true,
  made_at: ENDED_AT,
  modality: "image",
  model_slug: MODEL,
  ledger_entry_hash: "f894b446ef57c0a1e2d3b4a5968778695a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d",
};

export const VERIFIED_FILE: VerifiedFile = {
  state: "valid",
  sha256: "9f2c1b7e4a5d8036c1f0e2b3a4958677d6c5b4a39281706f5e4d3c2b1a09f8e7",
  bytes: 412_331,
  mime_type: "image/png",
  signature_valid: true,
  bytes_match: true,
  issuer: {
    name: "Atelier signer",
    organization: "Atelier",
    is_this_service: true,
    is_trusted: true,
    is_self_made: false,
  },
  generator: "Atelier",
  digital_source_type: "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
  origin: {
    job_id: JOB_ID,
    model_slug: MODEL,
    output_index: 0,
    ledger_entry_id: `led_${JOB_ID.slice(4)}_debit`,
    ledger_entry_hash: VERIFIED_OUTPUT.ledger_entry_hash,
  },
  ledger_agrees: true,
  ingredients: [],
  problems: [],
  record: VERIFIED_OUTPUT,
};

export const MODEL_EXAMPLE = {
  model_slug: MODEL,
  name: "Atelier Landscape",
  modality: "image",
  description: "Composes a picture from the prompt.",
  credits: 4,
  per: "image",
  pricing: {
    version: 1,
    unit: "image",
    default: 4,
    rules: [{ when: { width: 1024 }, credits: 6 }],
  },
  estimated_seconds: 2,
  max_prompt_length: 4000,
  params_schema: {
    type: "object",
    properties: { width: { type: "integer", minimum: 64, maximum: 1024 } },
    additionalProperties: false,
  },
  status: "live",
  provider: "local",
};

export const PLAN_EXAMPLE = {
  plan: "pro",
  name: "Pro",
  concurrency: 5,
  api: true,
  monthly_credits: 2000,
  price_usd: 29,
};

export const ME: MeAnswer = {
  account_id: "acc_01JZ8P0R3W5Y7A9C1E3G5J7M9P",
  plan: PLAN_EXAMPLE,
  key: {
    key_id: "key_01JZ8NX2Y6A4W8E1R5T9BCMFGH",
    name: "nightly pictures",
    scope: "write",
    masked: "atl_gen_…k3Jx",
    created_at: "2026-01-02T08:00:00.000Z",
    expires_at: "2027-01-02T08:00:00.000Z",
    last_used_at: "2026-01-31T09:30:00.000Z",
    revoked_at: null,
    max_credits: 500,
    credits_this_month: 20,
    confirm_above: 100,
    replaced_by: null,
  },
  credits_available: 996,
  jobs: { waiting: 0, running: 1 },
  rate_limits: { generate_per_minute: 60, requests_per_minute: 600 },
};

const DEBIT: Omit<LedgerEntryResource, "hash"> = {
  entry_id: `led_${JOB_ID.slice(4)}_debit`,
  seq: 3,
  kind: "debit",
  amount: -4,
  hold: -4,
  balance_after: 996,
  held_after: 0,
  job_id: JOB_ID,
  source: "api",
  key_id: "key_01JZ8NX2Y6A4W8E1R5T9BCMFGH",
  memo: null,
  created_at: STARTED_AT,
  prev_hash: "3b7d5e9f1a2c4068b9d7f5e3c1a08642e0f9d8c7b6a5948372615f4e3d2c1b0a",
  version: 2,
};
export const LEDGER_ENTRY: LedgerEntryResource = { ...DEBIT, hash: hashLedgerEntry(DEBIT) };

export const BALANCE = {
  balance: 996,
  held: 0,
  available: 996,
  ledger_seq: 3,
  ledger_hash: LEDGER_ENTRY.hash,
  logged_seq: 3,
  grants: [
    {
      grant_id: "led_01JZ0000000000000000000000_monthly_2026-01-31",
      kind: "monthly" as const,
      left: 500,
      expires_at: "2026-03-31T09:00:00.000Z",
    },
  ],
  next_grant_at: "2026-02-28T09:00:00.000Z",
};

export const LOG_PROOF: LogProofResource = {
  origin: LOG_ORIGIN,
  account_id: "acc_01JZ8P00000000000000000000",
  seq: 3,
  hash: LEDGER_ENTRY.hash,
  salt: "c1f0e2b3a4958677d6c5b4a39281706f5e4d3c2b1a09f8e79f2c1b7e4a5d8036",
  index: 1,
  path: ["5b0d6f7c2a9d8e6b5c3a2910f8e7d6c5b4a3928170f6e5d4c3b2a1908f7e6d5c"],
  checkpoint: `${LOG_ORIGIN}\n2\n${LOG_ROOT}\n\n— ${LOG_ORIGIN} ${Buffer.alloc(68).toString("base64")}\n`,
};

export const SOLVENCY_PROOF: SolvencyProofResource = {
  account_id: LOG_PROOF.account_id,
  seq: 3,
  balance: 870,
  salt: LOG_PROOF.salt,
  index: 1,
  path: [`${(130).toString(16).padStart(16, "0")}${LOG_PROOF.path[0]}`],
  statement: `atelier-solvency\n${LOG_ORIGIN}\n${CREATED_AT}\n2\n1000\n${LOG_ROOT}\n`,
  log_index: 1,
  log_path: LOG_PROOF.path,
  checkpoint: LOG_PROOF.checkpoint,
};

export const DELIVERY: DeliveryResource = {
  delivery_id: `dlv_${JOB_ID.slice(4)}_001`,
  redelivery: 0,
  job_id: JOB_ID,
  event: "job.completed",
  url: GENERATE_REQUEST.callback_url,
  status: "delivered",
  created_at: ENDED_AT,
  next_attempt_at: null,
  attempts: [{ number: 1, at: ENDED_AT, http_status: 204, duration_ms: 87, error: null }],
};

export const EVENT: EventResource = {
  event_id: "evt_01JZ8Q4M3V6X9T2B7N5D8KAYEF",
  seq: 42,
  event: "job.completed",
  created_at: ENDED_AT,
  data: { job_id: JOB_ID },
};

export const NEW_DELIVERY: DeliveryResource = {
  ...DELIVERY,
  redelivery: 1,
  status: "pending",
  next_attempt_at: ENDED_AT,
  attempts: [],
};

export const TEST_DELIVERY: DeliveryResource = {
  ...DELIVERY,
  delivery_id: "dlv_01JZ8Q9K2M4P6R8T0V2X4Z6B8D_001",
  job_id: null,
  event: "test",
};
