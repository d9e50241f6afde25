// Compares the fake core with the real one: the same calls in the same order have results of the same shape.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountDoc, KeyDoc } from "../../core/identity/accounts/store.ts";
import { grantCredits } from "../../core/identity/credits/grant.ts";
import type { Caller } from "../../proto/caller.ts";
import type { CoreClient } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import { generateApiKey, hashApiKey } from "../../runtime/keys/api-key.ts";
import { importRows, row } from "../core/shop/catalog/rows.ts";
import { createMember } from "../core/shop/memberships/members.ts";
import { createCustomer } from "../support/app.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";
import { type MemberEndpoint, PRODUCT, startMemberEndpoint } from "./member/member-endpoint.ts";

/** A core with keys, an image model, and a way to run waiting jobs. */
type Side = { core: CoreClient; key: string; memberKey: string; model: string; work(): void };

let service: WholeService;
let members: MemberEndpoint;
let sides: { real: Side; fake: Side };
beforeAll(async () => {
  [service, members] = await Promise.all([startWholeService({ worker: false }), startMemberEndpoint()]);
  const { app, core } = service;
  const { accountId, key } = await createCustomer(app, { credits: 50 });
  const present = { kind: "grant", memo: "a present", source: "system" } as const;
  await grantCredits(app, { accountId, amount: 50, ...present, expiresAt: new Date("2999-01-01") });
  await app.mongo.db
    .collection<AccountDoc>("accounts")
    .updateOne({ _id: accountId }, { $set: { next_grant_at: new Date("2998-01-01") } });
  const at = new Date("2998-01-01");
  await app.mongo.db
    .collection<KeyDoc>("api_keys")
    .updateOne(
      { account_id: accountId },
      { $set: { max_credits: 500, confirm_above: 100, expires_at: at, last_used_at: at } },
    );
  const { tagline, description, demo_url, category, subcategory, tags, plus_only } = PRODUCT;
  const priced = { price_regular_cents: 4900, client_price_cents: 14_900, pricing_tier: "standard" };
  const told = { tagline, description, demo_url, category, subcategory, tags, plus_only };
  const { findings } = await importRows(core, [
    row(PRODUCT.slug, { ...told, ...priced, status: "featured", rating_average: 4.7, rating_count: 212 }),
  ]);
  if (findings.length > 0) throw new Error(`the product does not fit: ${JSON.stringify(findings)}`);
  await waitFor("the product", () => core.catalog.GetProduct({ slug: PRODUCT.slug }).catch(() => undefined));
  const member = await createMember(service, core);
  await core.admin.GrantLicence({
    account: member.accountId,
    product_slug: PRODUCT.slug,
    kind: "standard",
    source: "purchase",
  });
  sides = {
    real: { core, key, memberKey: member.key, model: "picture", work: () => service.startWorker() },
    fake: {
      core: members.core.client,
      key: members.core.addKey(),
      memberKey: members.key,
      model: "canvas-one",
      work: () => members.core.complete("job_1"),
    },
  };
});
afterAll(() => Promise.all([service.close(), members.close()]));

/** Enumerated texts are compared; every other value only by type. */
const WORDS = new Set(["state", "type", "kind", "status", "modality", "scope", "plan", "replayed", "source"]);

function shapeOf(value: unknown, name = ""): unknown {
  if (value instanceof Uint8Array) return shapeOf(JSON.parse(Buffer.from(value).toString("utf8")));
  if (Array.isArray(value)) return value.map((item) => shapeOf(item));
  if (typeof value !== "object" || value === null)
    return WORDS.has(name) || value === "" ? value : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null && inner !== undefined)
      .map(([inside, inner]) => [inside, shapeOf(inner, inside)])
      .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
}

type Noted = [what: string, answer: unknown][];

async function note(noted: Noted, what: string, ask: () => Promise<unknown>): Promise<void> {
  const answer = await ask().then(shapeOf, (error: unknown) => {
    if (error instanceof AppError) return error.code;
    throw error;
  });
  noted.push([what, answer]);
}

const callOf = (key: string): { caller: Caller } => ({
  caller: { kind: "key", keySha256: hashApiKey(key), source: "mcp" },
});

async function askOfJobs({
  core: { accounts, models, jobs, credits },
  key,
  model,
  work,
}: Side): Promise<Noted> {
  const noted: Noted = [];
  const call = callOf(key);
  const scope = { required_scope: "write" };
  await note(noted, "Authenticate", () => accounts.Authenticate(scope, call));
  await note(noted, "an unknown key", () => accounts.Authenticate(scope, callOf(generateApiKey("gen"))));
  await note(noted, "ListModels", () => models.ListModels({ modality: "image" }, call));

  const wanted = { modality: "image", model_slug: model, prompt: "a lighthouse", params_json: "{}" };
  const keyed = { ...wanted, metadata: { order: "1" }, idempotency_key: "once" };
  const { job_id } = await jobs.Generate(keyed, call);
  await note(noted, "Generate again", () => jobs.Generate(keyed, call));
  await note(noted, "GetBalance", () => credits.GetBalance({ with_key: true }, call));
  const entries = await credits.ListLedger({ limit: 2, cursor: "", with_balance: true }, call);
  noted.push(["ListLedger", shapeOf(entries)]);
  const { next_cursor: cursor } = entries;
  await note(noted, "its last page", () => credits.ListLedger({ limit: 2, cursor }, call));

  await note(noted, "GetJob", () => jobs.GetJob({ job_id }, call));
  await note(noted, "GetJob, waiting", () => jobs.GetJob({ job_id, wait_seconds: 1 }, call));
  await note(noted, "GetJob of another", () => jobs.GetJob({ job_id: "job_of_nobody" }, call));
  const second = await jobs.Generate(wanted, call);
  await note(noted, "CancelJob", () => jobs.CancelJob({ job_id: second.job_id }, call));
  await note(noted, "CancelJob again", () => jobs.CancelJob({ job_id: second.job_id }, call));
  await note(noted, "CancelJob of another", () => jobs.CancelJob({ job_id: "job_of_nobody" }, call));

  const all = { limit: 1, cursor: "", state: "", modality: "" };
  const newest = await jobs.ListJobs(all, call);
  expect(newest.jobs[0]?.job_id).toBe(second.job_id);
  noted.push(["ListJobs", shapeOf(newest)]);
  const older = { ...all, cursor: newest.next_cursor };
  await note(noted, "ListJobs, its last page", () => jobs.ListJobs(older, call));
  await note(noted, "ListJobs that failed", () => jobs.ListJobs({ ...all, state: "failed" }, call));

  const waited = jobs.GetJob({ job_id, wait_seconds: 45 }, { ...call, deadlineMs: 60_000 });
  work();
  await note(noted, "GetJob, until its end", () => waited);
  await note(noted, "WatchJob", () => Array.fromAsync(jobs.WatchJob({ job_id }, call)));
  return noted;
}

async function askOfMember({ core: { memberships, catalog, orders }, memberKey }: Side): Promise<Noted> {
  const noted: Noted = [];
  const call = { caller: { ...callOf(memberKey).caller, source: "member" } as Caller };
  await note(noted, "Authenticate", () => memberships.Authenticate({}, call));
  const unknown = callOf(generateApiKey("mem"));
  await note(noted, "an unknown key", () => memberships.Authenticate({}, unknown));
  await note(noted, "GetMembership", () => memberships.GetMembership({}, call));
  await note(noted, "ListLicences", () => memberships.ListLicences({ limit: 10, cursor: "" }, call));
  await note(noted, "QuoteProduct", () => orders.QuoteProduct({ product_slug: PRODUCT.slug }, call));
  // Core's other fields are for the gateway.
  const bodyOf = async (reply: Promise<{ body: Uint8Array }>) => (await reply).body;
  const page = { page: 1, page_size: 8, facets: ["category"] };
  const last = { ...page, page: 9, facets: [] };
  await note(noted, "ListProducts", () => bodyOf(catalog.ListProducts(page, call)));
  await note(noted, "past the end", () => bodyOf(catalog.ListProducts(last, call)));
  await note(noted, "GetProduct", () => bodyOf(catalog.GetProduct({ slug: PRODUCT.slug }, call)));
  await note(noted, "GetProduct of none", () => bodyOf(catalog.GetProduct({ slug: "no-such" }, call)));
  return noted;
}

test("the fake core answers for keys, models, jobs, credits and ledger like the real one", async () => {
  expect(await askOfJobs(sides.fake)).toEqual(await askOfJobs(sides.real));
});

test("the fake core answers for members, licences, products and prices like the real one", async () => {
  members.quoted["standard"] = { refusal: "already_owned", why: "You already have it." };
  members.quoted["client"] = { off: 2980 };
  expect(await askOfMember(sides.fake)).toEqual(await askOfMember(sides.real));
});
