// The valid licences and those that need a membership: every kind, source and product.
import { describe, expect, test } from "vitest";
import { checkLicenceAllowed, checkLicenceTerms } from "../../../../core/shop/memberships/rules.ts";
import { LICENCE_KINDS, LICENCE_SOURCES } from "../../../../proto/resources/membership.ts";
import { combinations, frozen } from "../../../fixtures/docs.ts";

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
