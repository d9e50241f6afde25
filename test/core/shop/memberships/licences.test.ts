// Licences over gRPC: who gets one, that there is one of each, and that they outlive a membership.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { seedDemoCatalog } from "../../../../core/shop/catalog/demo/seed.ts";
import { setProductStatus } from "../../../../core/shop/catalog/edit-catalog.ts";
import type { ProductDoc } from "../../../../core/shop/catalog/store.ts";
import { checkLicenceAllowed, checkLicenceTerms } from "../../../../core/shop/memberships/rules.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { fromMessages } from "../../../../proto/codec.ts";
import { licenceSchema, LICENCE_SOURCES, LICENCE_KINDS } from "../../../../proto/resources/membership.ts";
import { combinations, frozen } from "../../../fixtures/docs.ts";
import { createCustomer } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { useTestCore } from "../../../support/core.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { createMember, supportClient } from "./members.ts";

const NOW = "2026-11-01T12:00:00.000Z";
const DAY_MS = 24 * 60 * 60_000;

const clock = createFakeClock(NOW);
let plain: ProductDoc;
let plusOnly: ProductDoc;
const core = useTestCore({ clock, env: { ATELIER_DEMO_PRODUCTS: "60" } });
const gateway = sharedByTests(async () => core.client());
const support = sharedByTests(async () => supportClient(core));
beforeAll(async () => {
  await seedDemoCatalog(core.app);
  plain = await product({ plus_only: false, status: "published" });
  plusOnly = await product({ plus_only: true, status: "published" });
});
beforeEach(() => clock.set(NOW));

async function product(filter: Partial<ProductDoc>): Promise<ProductDoc> {
  const found = await core.app.mongo.db.collection<ProductDoc>("products").findOne(filter);
  if (!found) throw new Error("the demonstration catalog has no such product");
  return found;
}

function grant(account: string, { slug }: ProductDoc, kind = "standard", source = "grant") {
  return support.admin.GrantLicence({ account, product_slug: slug, kind, source });
}

const personOf = (accountId: string): Caller => ({ kind: "account", accountId, source: "app" });

async function licencesOf(caller: Caller) {
  const { licences } = await gateway.memberships.ListLicences({}, { caller });
  return fromMessages(licenceSchema, licences);
}

describe("a licence", () => {
  test("records its product's name at the time, its kind and its source", async () => {
    const { accountId } = await createCustomer(core.app);
    await grant(accountId, plain, "client", "purchase");
    const [licence] = await licencesOf(personOf(accountId));
    expect(licenceSchema.parse(licence)).toEqual({
      licence_id: expect.stringMatching(/^lic_[0-9A-Z]{26}$/),
      product_id: plain._id,
      product_slug: plain.slug,
      product_name: plain.name,
      kind: "client",
      source: "purchase",
      status: "active",
      granted_at: NOW,
      revoked_at: null,
    });
  });

  test("is granted once under repeated and parallel requests", async () => {
    const { accountId } = await createCustomer(core.app);
    const first = await grant(accountId, plain);
    clock.advance(DAY_MS);
    const again = await Promise.all(Array.from({ length: 8 }, () => grant(accountId, plain)));
    for (const licence of again) expect(licence).toEqual(first);
    const raced = await Promise.all(Array.from({ length: 16 }, () => grant(accountId, plusOnly)));
    expect(new Set(raced.map(({ licence_id }) => licence_id)).size).toBe(1);
    expect(await grant(accountId, plain, "client")).not.toEqual(first);
    expect(await licencesOf(personOf(accountId))).toHaveLength(3);
  });

  test("[MBS-04] stays when the membership lapses, and when its product is archived", async () => {
    const { accountId, caller } = await createMember(core, support, { until: "2026-11-02T00:00:00Z" });
    const { slug } = plusOnly;
    await grant(accountId, plusOnly, "standard", "purchase");
    await grant(accountId, plain, "standard", "membership");
    const before = await licencesOf(caller);
    expect(before.map(({ source }) => source)).toEqual(["membership", "purchase"]);
    clock.advance(DAY_MS);
    expect(await refusalOf(licencesOf(caller))).toMatchObject({ code: "membership_inactive" });
    await setProductStatus(core.app, slug, "archived");
    expect(await licencesOf(personOf(accountId))).toEqual(before);
    const { licences } = await support.admin.ListAccountLicences({ account: accountId });
    expect(fromMessages(licenceSchema, licences)).toEqual(before);
    // A buyer may get it again after a revocation, even when it is not for sale.
    expect(await grant(accountId, plusOnly)).toMatchObject({ source: "purchase" });
    await setProductStatus(core.app, slug, "published");
  });

  test("can be revoked once, and granted again", async () => {
    const { accountId } = await createCustomer(core.app);
    const { licence_id } = await grant(accountId, plain);
    const revoked = await support.admin.RevokeLicence({ licence_id });
    expect(revoked).toMatchObject({ licence_id, status: "revoked", revoked_at: NOW });
    clock.advance(DAY_MS);
    expect(await support.admin.RevokeLicence({ licence_id })).toEqual(revoked);
    const anew = await grant(accountId, plain);
    expect(anew.licence_id).not.toBe(licence_id);
    expect((await licencesOf(personOf(accountId))).map(({ status }) => status)).toEqual([
      "active",
      "revoked",
    ]);
    expect(await refusalOf(support.admin.RevokeLicence({ licence_id: "lic_none" }))).toMatchObject({
      code: "not_found",
    });
  });

  test("[MBS-08] a licence of a plus_only product is sold only to members whose tier includes it; a gift needs none", async () => {
    const { accountId } = await createCustomer(core.app);
    const refused = async () => {
      expect(await refusalOf(grant(accountId, plusOnly, "standard", "purchase"))).toMatchObject({
        code: "membership_required",
      });
      expect(await refusalOf(grant(accountId, plain, "standard", "membership"))).toMatchObject({
        code: "membership_required",
      });
    };
    await refused();
    await support.admin.SetMembership({ account: accountId, tier: "basic", until: "2026-12-01T00:00:00Z" });
    await refused();
    await support.admin.SetMembership({ account: accountId, tier: "plus", until: "2026-12-01T00:00:00Z" });
    clock.advance(30 * DAY_MS);
    await refused();
    await grant(accountId, plain, "standard", "purchase");
    await grant(accountId, plusOnly);
    clock.set(NOW);
    await grant(accountId, plusOnly, "client", "purchase");
    expect(await licencesOf(personOf(accountId))).toHaveLength(3);
  });

  test("is refused for an unknown account, product, kind or source, and for a draft", async () => {
    const { accountId } = await createCustomer(core.app);
    expect(await refusalOf(grant("acc_none", plain))).toMatchObject({ code: "not_found" });
    expect(await refusalOf(grant(accountId, { ...plain, slug: "nothing" }))).toMatchObject({
      code: "product_not_found",
    });
    const draft = await product({ status: "draft" });
    expect(await refusalOf(grant(accountId, draft))).toMatchObject({ code: "product_not_found" });
    expect(await refusalOf(grant(accountId, plain, "team", "theft"))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "kind" }, { path: "source" }],
    });
  });
});

describe("the list of licences", () => {
  test("is paged, newest first, for its own account only", async () => {
    const { accountId, caller } = await createMember(core, support);
    const other = await createMember(core, support);
    await grant(other.accountId, plain);
    const { db } = core.app.mongo;
    const some = await db.collection<ProductDoc>("products").find({ status: "published" }).limit(5).toArray();
    const granted: string[] = [];
    for (const one of some) granted.unshift((await grant(accountId, one)).licence_id);
    const pages: string[][] = [];
    let cursor = "";
    do {
      const page = await gateway.memberships.ListLicences({ limit: 2, cursor }, { caller });
      pages.push(page.licences.map(({ licence_id }) => licence_id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    await db
      .collection<ProductDoc>("products")
      .updateOne({ _id: some[0]?._id ?? "" }, { $set: { status: "archived" } });
    const withdrawn = async (with_withdrawn: boolean) =>
      (await gateway.memberships.ListLicences({ with_withdrawn }, { caller })).withdrawn_product_ids;
    expect([await withdrawn(true), await withdrawn(false)]).toEqual([[some[0]?._id], []]);
    expect(pages.flat()).toEqual(granted);
  });

  test("refuses an invalid limit and cursor", async () => {
    const { caller } = await createMember(core, support);
    for (const wrong of [{ limit: 101 }, { limit: -1 }, { cursor: "nonsense" }]) {
      expect(await refusalOf(gateway.memberships.ListLicences(wrong, { caller }))).toMatchObject({
        code: "invalid_request",
        issues: [{ path: Object.keys(wrong)[0] }],
      });
    }
  });
});

describe("a licence", () => {
  const kinds = [...LICENCE_KINDS, "other", ""];
  const sources = [...LICENCE_SOURCES, "other", ""];
  test.each(combinations({ kind: kinds, source: sources }))(
    "a licence of the kind '$kind' and the source '$source'",
    ({ kind, source }) => {
      const known: readonly string[] = [...LICENCE_KINDS, ...LICENCE_SOURCES];
      const paths = [
        ...(known.includes(kind) ? [] : ["kind"]),
        ...(known.includes(source) ? [] : ["source"]),
      ];
      const check = () => checkLicenceTerms(frozen({ kind, source }));
      if (paths.length === 0) expect(check()).toEqual({ kind, source });
      else
        expect(check).toThrow(
          expect.objectContaining({ issues: paths.map((path) => ({ path, message: expect.any(String) })) }),
        );
    },
  );

  test.each(combinations({ source: LICENCE_SOURCES, plus_only: [true, false], plusProducts: [true, false] }))(
    "from $source of a product that is plus_only: $plus_only, with plus products: $plusProducts",
    ({ source, plus_only, plusProducts }) => {
      const needs = source === "membership" || (source === "purchase" && plus_only);
      const check = () => checkLicenceAllowed(source, frozen({ name: "Brush", plus_only }), plusProducts);
      if (needs && !plusProducts)
        expect(check).toThrow(expect.objectContaining({ code: "membership_required" }));
      else expect(check).not.toThrow();
    },
  );
});
