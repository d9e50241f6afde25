// The library over gRPC: product files, their readers, the download log, cleaning up, and reviews.
import { createHash, randomBytes } from "node:crypto";
import { unzipSync } from "fflate";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openObjectStore } from "../../../../core/base/objects/object-store.ts";
import { removeExpiredOutputs } from "../../../../core/kernel/outputs/expire.ts";
import { seedDemoCatalog } from "../../../../core/shop/catalog/demo/seed.ts";
import { sendAlerts } from "../../../../core/shop/library/alerts.ts";
import { makeDemoFiles } from "../../../../core/shop/library/demo-files.ts";
import { placeOrder } from "../../../../core/shop/orders/place-order.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { fromMessages } from "../../../../proto/codec.ts";
import { libraryLicenceSchema } from "../../../../proto/resources/library.ts";
import type { ReadProductFileRequestInput } from "../../../../proto/types/atelier/v1/ReadProductFileRequest.ts";
import { loadConfig } from "../../../../runtime/config/config.ts";
import { createCustomer } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { startTestCore, useTestCore } from "../../../support/core.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { startS3Server } from "../../../support/s3-server.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { setProduct } from "../orders/shop-fixture.ts";

const NOW = "2026-11-01T12:00:00.000Z";
const MIB = 2 ** 20;
const NOT_FOUND = { code: "not_found", message: "There is nothing at this address." };

const clock = createFakeClock(NOW);
const core = useTestCore({
  clock,
  env: { ATELIER_DEMO_PRODUCTS: "60", ATELIER_MAX_PRODUCT_FILE_MB: "20" },
});
const gateway = sharedByTests(async () => core.client());
const support = sharedByTests(async () => core.client());
beforeAll(async () => {
  await seedDemoCatalog(core.app);
});
beforeEach(() => clock.set(NOW));

let made = 0;
async function newProduct(): Promise<string> {
  const slug = `product-${++made}`;
  const json = JSON.stringify({
    slug,
    name: `Product ${made}`,
    status: "published",
    price_regular_cents: 900,
  });
  const { findings } = await support.catalogAdmin.ImportProducts({ rows: [{ line: 1, json }] });
  expect(findings).toEqual([]);
  return slug;
}

const personOf = (accountId: string): Caller => ({ kind: "account", accountId, source: "app" });
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

type Headline = { name?: string; version?: string; bytes?: number; sha256?: string };

/** `headline` overrides what the upload declares. */
async function add(slug: string, bytes: Uint8Array, headline: Headline = {}, pieceBytes = 100_000) {
  async function* parts() {
    yield {
      headline: {
        product_slug: slug,
        name: "files.bin",
        version: "1.0",
        bytes: bytes.length,
        sha256: sha256(bytes),
        ...headline,
      },
    };
    for (let at = 0; at < bytes.length; at += pieceBytes) yield { data: bytes.subarray(at, at + pieceBytes) };
  }
  return support.admin.AddProductFile(parts());
}

async function owner(slug: string): Promise<{ accountId: string; caller: Caller; licenceId: string }> {
  const { accountId } = await createCustomer(core.app);
  const { licence_id } = await support.admin.GrantLicence({
    account: accountId,
    product_slug: slug,
    kind: "standard",
    source: "grant",
  });
  return { accountId, caller: personOf(accountId), licenceId: licence_id ?? "" };
}

/** A new product with one file, and an owner of it. */
async function owned(bytes: Uint8Array = randomBytes(1_000)) {
  const slug = await newProduct();
  const { file } = await add(slug, bytes);
  return { slug, bytes, file_id: file?.file_id ?? "", ...(await owner(slug)) };
}

async function read(
  asked: ReadProductFileRequestInput,
  caller?: Caller,
  address = "192.0.2.77",
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const call = { address, ...(caller && { caller }) };
  for await (const { data } of gateway.library.ReadProductFile(asked, call)) pieces.push(data);
  return Buffer.concat(pieces);
}

async function libraryOf(caller: Caller) {
  return fromMessages(libraryLicenceSchema, (await gateway.library.ListLibrary({}, { caller })).licences);
}

const stored = () => core.app.mongo.db.collection("outputs.files");
const chunks = () => core.app.mongo.db.collection("outputs.chunks");

describe("a product file added by an operator", () => {
  test("reads back whole and in parts for a licence holder, for any upload chunks", async () => {
    const slug = await newProduct();
    const bytes = randomBytes(1_200_000);
    const { file, added } = await add(slug, bytes, {}, 77_777);
    expect(added).toBe(true);
    expect(file).toMatchObject({
      file_id: expect.stringMatching(/^fil_/),
      name: "files.bin",
      version: "1.0",
      bytes: 1_200_000,
      media_type: "application/octet-stream",
      sha256: sha256(bytes),
      added_at: NOW,
    });
    const file_id = file?.file_id ?? "";
    const { caller } = await owner(slug);
    expect(await libraryOf(caller)).toMatchObject([
      { product_slug: slug, kind: "standard", terms_version: 1, order_id: null, files: [{ file_id }] },
    ]);
    expect((await read({ file_id }, caller)).equals(bytes)).toBe(true);
    const part = await read({ file_id, offset: 261_000, length: 5_000 }, caller);
    expect(part.equals(bytes.subarray(261_000, 266_000))).toBe(true);
    expect((await read({ file_id, offset: -10 }, caller)).equals(bytes.subarray(-10))).toBe(true);
  });

  test("is stored once when added again; another file with its name and version is refused", async () => {
    const slug = await newProduct();
    const bytes = randomBytes(1_000);
    const first = await add(slug, bytes);
    expect(await add(slug, bytes)).toEqual({ file: first.file, added: false });
    expect(await refusalOf(add(slug, randomBytes(1_000)))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "file", message: expect.stringContaining("would take the place of another") }],
    });
    const second = await add(slug, randomBytes(1_000), { version: "1.1" });
    const { files } = await support.admin.ListProductFiles({ product_slug: slug });
    expect(files.map(({ version }) => version)).toEqual(["1.1", "1.0"]);
    const both = await Promise.all([0, 1].map(() => add(slug, bytes, { name: "twice.bin" })));
    expect(both.map(({ file }) => file?.file_id)).toEqual([both[0]?.file?.file_id, both[0]?.file?.file_id]);
    expect(both.filter(({ added }) => added)).toHaveLength(1);
    expect(second.added).toBe(true);
  });

  test.each<[string, Uint8Array, Headline, string]>([
    ["declares a ZIP and is none", randomBytes(64), { name: "a.zip" }, "does not begin like a ZIP"],
    ["declares a PDF and is a ZIP", Buffer.from("PK\u0003\u0004 and more"), { name: "a.pdf" }, "like a PDF"],
    ["is empty", new Uint8Array(), {}, "the file is empty"],
    ["is shorter than declared", randomBytes(64), { bytes: 65 }, "has 64 bytes and not the 65"],
    ["has another hash than declared", randomBytes(64), { sha256: "0".repeat(64) }, "its SHA-256 is another"],
    ["is declared too large", randomBytes(64), { bytes: 21 * MIB }, "at most 20 MiB"],
    ["has a path in its name", randomBytes(64), { name: "../a" }, "must begin with a letter"],
    ["has a version of two words", randomBytes(64), { version: "1 0" }, "must be a word"],
  ])("that %s is refused, and nothing of it stays", async (_what, bytes, headline, words) => {
    const slug = await newProduct();
    const refusal = (await refusalOf(add(slug, bytes, headline))) as { issues: { message: string }[] };
    expect(refusal).toMatchObject({ code: "invalid_request" });
    expect(refusal.issues.map(({ message }) => message).join()).toContain(words);
    expect((await support.admin.ListProductFiles({ product_slug: slug })).files).toEqual([]);
    await removeExpiredOutputs(core.app);
    expect(await stored().countDocuments({ length: 64 })).toBe(0);
    expect(await stored().countDocuments({ "metadata.expires_at": { $exists: true } })).toBe(0);
  });

  test("above the size limit is refused midway", async () => {
    const slug = await newProduct();
    const lie = { bytes: 10, sha256: "0".repeat(64) };
    const refusal = await refusalOf(add(slug, new Uint8Array(21 * MIB), lie));
    expect(refusal).toMatchObject({ code: "invalid_request", message: "The file must have at most 20 MiB." });
    await removeExpiredOutputs(core.app);
    expect(await stored().countDocuments({ "metadata.expires_at": { $exists: true } })).toBe(0);
  });

  test("is removed within a day when its upload breaks off", async () => {
    const slug = await newProduct();
    async function* parts() {
      const said = {
        product_slug: slug,
        name: "half.bin",
        version: "1",
        bytes: 600_000,
        sha256: "0".repeat(64),
      };
      yield { headline: said };
      yield { data: randomBytes(300_000) };
      throw new Error("the cable was cut");
    }
    await expect(support.admin.AddProductFile(parts())).rejects.toThrow("the cable was cut");
    clock.set("2026-11-02T12:00:01.000Z");
    await expect
      .poll(async () => {
        await removeExpiredOutputs(core.app);
        return stored().countDocuments({ filename: "half.bin" });
      })
      .toBe(0);
    expect((await support.admin.ListProductFiles({ product_slug: slug })).files).toEqual([]);
  });

  test("is unavailable to everyone once removed, and its bytes go with the next sweep", async () => {
    const { slug, file_id, caller } = await owned(randomBytes(300_000));
    await support.admin.RemoveProductFile({ product_slug: slug, file_id });
    expect(await refusalOf(read({ file_id }, caller))).toMatchObject(NOT_FOUND);
    expect(await libraryOf(caller)).toMatchObject([{ files: [] }]);
    expect(await refusalOf(support.admin.RemoveProductFile({ product_slug: slug, file_id }))).toMatchObject({
      code: "not_found",
      message: "The product has no such file.",
    });
    await removeExpiredOutputs(core.app);
    expect(await chunks().countDocuments({ files_id: file_id })).toBe(0);
    expect(await stored().countDocuments({ _id: file_id as never })).toBe(0);
  });

  test("never expires", async () => {
    const { bytes, file_id, caller } = await owned();
    clock.set("2036-11-01T12:00:00.000Z");
    await removeExpiredOutputs(core.app);
    expect((await read({ file_id }, caller)).equals(bytes)).toBe(true);
  });
});

describe("a product file is not found", () => {
  test("with a key of any kind", async () => {
    const { file_id } = await owned();
    const { caller } = await createCustomer(core.app);
    expect(await refusalOf(read({ file_id }, caller))).toMatchObject({
      code: "insufficient_scope",
    });
  });

  test("[SHOP-21] from the moment its licence is revoked, also during a download", async () => {
    const slug = await newProduct();
    const { file } = await add(slug, new Uint8Array(16 * MIB), {}, 250_000);
    const { caller, licenceId } = await owner(slug);
    let bytes = 0;
    const download = (async () => {
      for await (const { data } of gateway.library.ReadProductFile(
        { file_id: file?.file_id ?? "" },
        { caller },
      )) {
        if (bytes === 0) await support.admin.RevokeLicence({ licence_id: licenceId });
        bytes += data.length;
      }
    })();
    expect(await refusalOf(download)).toMatchObject(NOT_FOUND);
    expect(bytes).toBeLessThan(16 * MIB);
  });

  test("[SHOP-22] unless its former member keeps the licence after the membership has lapsed", async () => {
    const slug = await newProduct();
    const bytes = randomBytes(1_000);
    const { file } = await add(slug, bytes);
    const { accountId } = await createCustomer(core.app);
    await support.admin.SetMembership({ account: accountId, tier: "plus", until: "2026-12-01T00:00:00Z" });
    await support.admin.GrantLicence({
      account: accountId,
      product_slug: slug,
      kind: "standard",
      source: "membership",
    });
    await support.admin.EndMembership({ account: accountId });
    expect((await read({ file_id: file?.file_id ?? "" }, personOf(accountId))).equals(bytes)).toBe(true);
  });
});

test("a link to a product file opens it for ten minutes without a sign-in, while the licence is live", async () => {
  const { slug, bytes, file_id, caller, licenceId, accountId } = await owned();
  const { access, expires_at } = await gateway.library.SignFile({ file_id }, { caller });
  expect(expires_at).toBe("2026-11-01T12:10:00.000Z");
  if (!access) throw new Error("no access was signed");
  const signed = access;
  expect(signed.account).toBe(accountId);
  expect((await read({ file_id, signed })).equals(bytes)).toBe(true);

  const other = (await add(slug, randomBytes(10), { version: "2" })).file?.file_id ?? "";
  const stranger = await createCustomer(core.app);
  for (const altered of [
    { file_id: other, signed },
    { file_id, signed: { ...signed, account: stranger.accountId } },
    { file_id, signed: { ...signed, expires: signed.expires + 1 } },
    { file_id, signed: { ...signed, signature: "" } },
  ])
    expect(await refusalOf(read(altered))).toMatchObject({
      code: "not_found",
      message: "This link was altered or cut off: its signature does not fit.",
    });

  clock.set("2026-11-01T12:09:59.000Z");
  await read({ file_id, signed });
  clock.set("2026-11-01T12:10:00.000Z");
  expect(await refusalOf(read({ file_id, signed }))).toMatchObject({
    code: "not_found",
    message: "This link has expired.",
  });
  clock.set(NOW);
  await support.admin.SetAccountStatus({ account: accountId, status: "suspended" });
  expect(await refusalOf(read({ file_id, signed }))).toMatchObject({ code: "account_suspended" });
  await support.admin.SetAccountStatus({ account: accountId, status: "active" });
  await support.admin.RevokeLicence({ licence_id: licenceId });
  expect(await refusalOf(read({ file_id, signed }))).toMatchObject(NOT_FOUND);
});

test("the download log has a row per hour, file and network, for the owner and for operators", async () => {
  const { slug, file_id, accountId, caller, licenceId } = await owned();
  await Promise.all([0, 500].map((offset) => read({ file_id, offset }, caller)));
  await read({ file_id, head_only: true }, caller);
  clock.set("2026-11-01T13:10:00.000Z");
  await read({ file_id }, caller, "2001:db8:1:2::3");
  const { downloads } = await gateway.library.ListDownloads({}, { caller });
  expect(downloads).toEqual([
    {
      download_id: expect.stringMatching(/^dwn_/),
      file_id,
      product_slug: slug,
      name: "files.bin",
      version: "1.0",
      licence_id: licenceId,
      network: "20010db80001::/48",
      requests: 1,
      first_at: "2026-11-01T13:10:00.000Z",
      last_at: "2026-11-01T13:10:00.000Z",
    },
    expect.objectContaining({ network: "192.0.2.0/24", requests: 2, first_at: NOW }),
  ]);
  expect(await support.admin.ListAccountDownloads({ account: accountId })).toEqual({
    downloads,
    next_cursor: "",
    products: [{ product_slug: slug, name: expect.stringMatching(/^Product /), has_page: true }],
  });
  const page = await gateway.library.ListDownloads({ limit: 1 }, { caller });
  const rest = await gateway.library.ListDownloads({ cursor: page.next_cursor }, { caller });
  expect([...page.downloads, ...rest.downloads]).toEqual(downloads);
});

describe("[SHOP-33] a review", () => {
  const review = (slug: string, caller: Caller, said: object = {}) =>
    gateway.library.PutReview({ product_slug: slug, stars: 5, text: "Good.", name: "", ...said }, { caller });
  const reviewsOf = (slug: string, caller?: Caller) =>
    gateway.library.ListReviews({ product_slug: slug }, caller ? { caller } : {});
  const RIGHT_TO_LEFT = "\u202eשלום\u2067 عالم";

  test("is one for each account and product, also of parallel requests, and its author changes and removes it", async () => {
    const slug = await newProduct();
    const [ada, eve] = [await owner(slug), await owner(slug)];
    const sent = await Promise.all([1, 2, 3, 4].map((stars) => review(slug, ada.caller, { stars })));
    expect(new Set(sent.map(({ review_id }) => review_id)).size).toBe(1);
    clock.set("2026-11-01T12:00:01.000Z");
    await review(slug, eve.caller, { stars: 3, text: " One\r\ntwo ", name: RIGHT_TO_LEFT });
    clock.set("2026-11-01T12:00:02.000Z");
    await review(slug, ada.caller, { text: "🎨".repeat(1_000) });
    const { newest, ...shown } = await reviewsOf(slug, eve.caller);
    expect(shown).toMatchObject({ count: 2, average: 4, own: { stars: 3, hidden: false } });
    expect(newest).toMatchObject([
      { text: "🎨".repeat(1_000), stars: 5, name: "", account_id: "" },
      { text: "One\ntwo", name: RIGHT_TO_LEFT, written_at: "2026-11-01T12:00:01.000Z" },
    ]);
    await gateway.library.RemoveReview({ product_slug: slug }, { caller: ada.caller });
    await gateway.library.RemoveReview({ product_slug: slug }, { caller: ada.caller });
    expect(await reviewsOf(slug)).toMatchObject({ count: 1, average: 3, newest: [{ stars: 3 }], own: null });
  });

  test.each<[string, object, string]>([
    ["stars", { stars: 0 }, "must be 1 to 5 stars"],
    ["stars", { stars: 6 }, "must be 1 to 5 stars"],
    ["text", { text: "🎨".repeat(1_001) }, "must have at most 1000 characters"],
    ["name", { name: "ada@example.com" }, "must not be an email address: everyone can read it"],
    ["name", { name: "Ada\nEve" }, "must be one line"],
    ["name", { name: "x".repeat(41) }, "must have at most 40 characters"],
  ])("is refused for its %s: %j", async (path, said, message) => {
    const slug = await newProduct();
    const { caller } = await owner(slug);
    expect(await refusalOf(review(slug, caller, said))).toMatchObject({
      code: "invalid_request",
      issues: [{ path, message }],
    });
    expect(await reviewsOf(slug, caller)).toMatchObject({ count: 0, own: null });
  });

  test("needs a live licence of a public product, and a signed-in user", async () => {
    const slug = await newProduct();
    const { accountId, key } = await createCustomer(core.app);
    expect(await refusalOf(review(slug, personOf(accountId)))).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^Only owners can review Product \d+, and this account has no licence/),
    });
    expect(await refusalOf(review("no-such-product", personOf(accountId)))).toMatchObject({
      code: "product_not_found",
    });
    const caller: Caller = { kind: "key", keySha256: sha256(Buffer.from(key)), source: "api" };
    expect(await refusalOf(review(slug, caller))).toMatchObject({ code: "insufficient_scope" });
    expect(await reviewsOf(slug)).toMatchObject({ count: 0, average: 0, newest: [] });
  });

  test("is shown while its author owns the product: not after a refund, and again with another licence", async () => {
    const slug = await newProduct();
    await setProduct(core.app, { slug, name: "Free now", price_regular_cents: 0 });
    const { accountId } = await createCustomer(core.app);
    const caller = personOf(accountId);
    const wanted = { kind: "product", slug, licence: "standard" } as const;
    const form = { idempotencyKey: "form", expectedCents: 0, wanted };
    const { _id: order_id } = await placeOrder(core.app, accountId, form);
    await review(slug, caller);
    expect(await reviewsOf(slug)).toMatchObject({ count: 1 });
    await support.admin.RefundOrder({ order_id });
    expect(await reviewsOf(slug, caller)).toMatchObject({ count: 0, newest: [], own: { stars: 5 } });
    expect(await refusalOf(review(slug, caller))).toMatchObject({ code: "invalid_request" });
    await support.admin.GrantLicence({
      account: accountId,
      product_slug: slug,
      kind: "client",
      source: "grant",
    });
    expect(await reviewsOf(slug)).toMatchObject({ count: 1, newest: [{ stars: 5 }] });
  });

  test("that an operator hides stays hidden when it is changed, or removed and written again, until it is shown again", async () => {
    const slug = await newProduct();
    const { caller, accountId } = await owner(slug);
    const { review_id } = await review(slug, caller);
    await support.admin.HideReview({ review_id });
    await review(slug, caller, { stars: 1 });
    await gateway.library.RemoveReview({ product_slug: slug }, { caller });
    expect(await reviewsOf(slug, caller)).toMatchObject({ count: 0, own: { text: "", hidden: true } });
    await review(slug, caller, { text: "Again." });
    expect(await reviewsOf(slug)).toMatchObject({ count: 0, newest: [] });
    expect((await support.admin.ListProductReviews({ product_slug: slug })).reviews).toMatchObject([
      { review_id, account_id: accountId, text: "Again.", hidden: true },
    ]);
    await support.admin.HideReview({ review_id, undo: true });
    expect(await reviewsOf(slug)).toMatchObject({ count: 1, newest: [{ text: "Again." }] });
    expect(await refusalOf(support.admin.HideReview({ review_id: "rev_none" }))).toMatchObject({
      code: "not_found",
    });
  });
});

describe("[SHOP-34] an alert about a product to come", () => {
  const change = (product_slug: string, caller: Caller, wanted: boolean) =>
    gateway.library.SetProductAlert({ product_slug, wanted }, { caller });
  const isWanted = async (product_slug: string, caller: Caller) =>
    (await gateway.library.GetProductAlert({ product_slug }, { caller })).wanted;
  const mailsTo = (accountId: string) =>
    core.app.mongo.db.collection("mails").find({ account_id: accountId, kind: "product.on_sale" }).toArray();
  async function toCome(): Promise<string> {
    const slug = `to-come-${++made}`;
    await setProduct(core.app, { slug, name: "The next one", status: "coming_soon" });
    return slug;
  }

  test("becomes one mail when the product is on sale, also with several workers, unless it was withdrawn", async () => {
    const slug = await toCome();
    const people = await Promise.all([1, 2, 3].map(async () => (await createCustomer(core.app)).accountId));
    const [ada = "", eve = "", leaving = ""] = people;
    for (const id of [ada, ada, eve, leaving]) await change(slug, personOf(id), true);
    await change(slug, personOf(eve), false);
    expect(await Promise.all(people.map((id) => isWanted(slug, personOf(id))))).toEqual([true, false, true]);
    const { email } = await support.admin.GetAccount({ account: leaving });
    await gateway.accounts.DeleteAccount({ email }, { caller: personOf(leaving) });
    expect(await sendAlerts(core.app)).toBe(false);
    await setProduct(core.app, { slug, price_regular_cents: 900 });
    await Promise.all([sendAlerts(core.app), sendAlerts(core.app)]);
    expect(await sendAlerts(core.app)).toBe(false);
    const [mail, ...others] = await mailsTo(ada);
    expect(mail).toMatchObject({
      subject: "The next one is here",
      text: expect.stringContaining(`/products/${slug}`),
    });
    expect([others, await mailsTo(eve), await mailsTo(leaving)]).toEqual([[], [], []]);
    expect(await isWanted(slug, personOf(ada))).toBe(false);
  });

  test("is refused for a product that is on sale, or not public", async () => {
    const { accountId } = await createCustomer(core.app);
    const caller = personOf(accountId);
    expect(await refusalOf(change(await newProduct(), caller, true))).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("is on sale already"),
    });
    const draft = await toCome();
    await setProduct(core.app, { slug: draft, status: "draft" });
    for (const slug of [draft, "no-such-product"]) {
      expect(await refusalOf(change(slug, caller, true))).toMatchObject({ code: "product_not_found" });
      expect(await change(slug, caller, false)).toEqual({ wanted: false });
    }
  });
});

test("a product of the demonstration catalog gets a ZIP of its cover and texts on first request, one for parallel requests", async () => {
  const product = await core.app.mongo.db
    .collection<{ _id: string; slug: string; name: string; description: string }>("products")
    .findOne({ status: "published", plus_only: false, download_key: { $type: "string" } });
  if (!product) throw new Error("the demonstration catalog is empty");
  const { caller } = await owner(product.slug);
  const seen = await Promise.all([0, 1, 2].map(() => libraryOf(caller)));
  const [file] = seen[0]?.[0]?.files ?? [];
  expect(file).toMatchObject({
    name: `${product.slug}.zip`,
    version: "1.0",
    media_type: "application/zip",
  });
  for (const rows of seen) expect(rows[0]?.files).toEqual([file]);
  const zip = await read({ file_id: file?.file_id ?? "" }, caller);
  expect(sha256(zip)).toBe(file?.sha256);
  const inside = unzipSync(zip);
  const text = (name: string) => Buffer.from(inside[`${product.slug}/${name}`] ?? []).toString();
  expect(text("README.txt")).toContain(product.description);
  expect(text("cover.svg")).toContain(`<title id="t">${product.name}</title>`);
  expect(text("LICENCE-client.txt")).toContain("work that you are paid to make for clients");
  expect(
    await makeDemoFiles({ ...core.app, config: { ...core.app.config, profile: "production" } }, [
      product._id,
    ]),
  ).toEqual([]);
});

test("where an object store is configured it stores the bytes, and loses them when the file is removed", async () => {
  const s3 = await startS3Server();
  const config = { ...core.app.config, ...pickS3(loadConfig(s3.env)) };
  const own = await startTestCore({ clock, env: s3.env });
  try {
    Object.assign(own.app, { objects: openObjectStore(config) });
    const desk = own.client();
    const json = JSON.stringify({ slug: "kept", name: "Kept", status: "published" });
    await desk.catalogAdmin.ImportProducts({ rows: [{ line: 1, json }] });
    const bytes = randomBytes(600_000);
    async function* parts() {
      const said = {
        product_slug: "kept",
        name: "a.bin",
        version: "1",
        bytes: 600_000,
        sha256: sha256(bytes),
      };
      yield { headline: said };
      for (let at = 0; at < bytes.length; at += 250_000) yield { data: bytes.subarray(at, at + 250_000) };
    }
    const { file } = await desk.admin.AddProductFile(parts());
    const { file_id = "", product_id = "" } = file ?? {};
    expect(s3.objects.get(`products/${product_id}/${file_id}`)?.bytes.equals(bytes)).toBe(true);
    const parts_ = own.app.mongo.db.collection("outputs.chunks");
    expect(await parts_.countDocuments({ files_id: file_id })).toBe(0);

    const { accountId } = await createCustomer(own.app);
    await desk.admin.GrantLicence({
      account: accountId,
      product_slug: "kept",
      kind: "client",
      source: "grant",
    });
    const pieces: Uint8Array[] = [];
    const call = { caller: personOf(accountId) };
    const asked = { file_id, offset: 100, length: 300_000 };
    for await (const { data } of own.client().library.ReadProductFile(asked, call)) pieces.push(data);
    expect(Buffer.concat(pieces).equals(bytes.subarray(100, 300_100))).toBe(true);

    await desk.admin.RemoveProductFile({ product_slug: "kept", file_id });
    await removeExpiredOutputs(own.app);
    expect(s3.objects.size).toBe(0);
  } finally {
    await own.app.objects?.close();
    await own.close();
  }
});

function pickS3(config: ReturnType<typeof loadConfig>) {
  const { s3Endpoint, s3Bucket, s3Region, s3AccessKeyId, s3SecretAccessKey } = config;
  return { s3Endpoint, s3Bucket, s3Region, s3AccessKeyId, s3SecretAccessKey };
}
