// Product covers as browsers fetch them.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { expect, test } from "vitest";
import { breakWords, drawSocialPicture } from "../../gateway/answers/social-picture.ts";
import { AppError } from "../../proto/codes.ts";
import { drawCover } from "../../runtime/covers/cover-art.ts";
import { sharedByTests } from "../support/shared.ts";
import { knowProduct } from "./fake-catalog.ts";
import { type Gateway, serveGateway } from "./serve-gateway.ts";

const HARBOUR = {
  slug: "harbour-icons",
  name: "Harbour <Icons>",
  category: "icons",
  subcategory: "line-icons",
};

const gateway = sharedByTests(() => serveGateway());

const get: Gateway["get"] = (...how) => gateway.get(...how);

const know = (product: typeof HARBOUR | undefined) => knowProduct(gateway, product);

test("a cover is its product's drawing, cached for a day, with a CSP that allows nothing", async () => {
  know(HARBOUR);
  const { status, headers, body } = await get("/covers/harbour-icons.svg");
  expect(status).toBe(200);
  expect(body.toString()).toBe(drawCover(HARBOUR));
  expect(headers).toMatchObject({
    "content-type": "image/svg+xml",
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "cache-control": "public, max-age=86400, stale-while-revalidate=604800",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
  });
  const head = await get("/covers/harbour-icons.svg", {}, "HEAD");
  expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, headers.etag]);
});

test("a cover's ETag is the same until the drawing changes", async () => {
  know(HARBOUR);
  const { etag = "" } = (await get("/covers/harbour-icons.svg")).headers;
  const ask = () => get("/covers/harbour-icons.svg", { "if-none-match": etag });
  expect((await ask()).status).toBe(304);
  know({ ...HARBOUR, name: "Harbour Glyphs" });
  expect((await ask()).status).toBe(200);
  know(undefined);
  expect((await ask()).status).toBe(404);
});

test.each(["/covers/draft-kit.svg", "/covers/%E2%98%83.svg", `/covers/${"x".repeat(120)}.svg`])(
  "%s is refused with the error of the product's detail",
  async (path) => {
    know(HARBOUR);
    const plain = async (address: string) => {
      const { status, headers, body } = await get(address, { "x-request-id": "same" });
      const { ratelimit: _a, "ratelimit-policy": _b, date: _c, ...others } = headers;
      return { status, headers: others, body: body.toString() };
    };
    const refused = await plain(path);
    expect(refused.status).toBe(404);
    expect(refused).toEqual(await plain("/api/catalog/no-such"));
  },
);

test("a cover without core is catalog_unavailable", async () => {
  gateway.fail("catalog.GetProduct", () => new AppError("service_unavailable", { retryAfterSeconds: 2 }));
  const { status, headers, body } = await get("/covers/harbour-icons.svg");
  expect([status, headers["retry-after"]]).toEqual([500, "2"]);
  expect(JSON.parse(body.toString())).toMatchObject({ code: "catalog_unavailable" });
});

// Link previews and home screen icons.
const knowNamed = (name: string) =>
  knowProduct(gateway, { slug: "harbour-icons", name, category: "icons", subcategory: "line-icons" });

test("a product's link preview is a PNG of the usual size with name and cover, and an ETag", async () => {
  knowNamed("Harbour Icons");
  const { status, headers, body } = await get("/social/harbour-icons.png");
  expect([status, headers["content-type"]]).toEqual([200, "image/png"]);
  expect(await sharp(body).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
  expect(body.length).toBeLessThan(120_000);
  const again = await get("/social/harbour-icons.png", { "if-none-match": headers.etag ?? "" });
  expect([again.status, again.body.length]).toEqual([304, 0]);
  knowNamed("Harbour Glyphs");
  const renamed = await get("/social/harbour-icons.png", { "if-none-match": headers.etag ?? "" });
  expect(renamed.status).toBe(200);
  // Only the name differs: it is drawn without this machine's fonts.
  expect(renamed.body.equals(body)).toBe(false);
});

test("a product that is not public has no link preview", async () => {
  knowNamed("Harbour Icons");
  expect((await get("/social/draft-kit.png")).status).toBe(404);
});

test.each([
  ["/social.png", 1200, 630],
  ["/apple-touch-icon.png", 180, 180],
] as const)("%s is a PNG of its size", async (path, width, height) => {
  const { status, body } = await get(path);
  expect(status).toBe(200);
  expect(await sharp(body).metadata()).toMatchObject({ format: "png", width, height });
});

test("text is wrapped to the width, and a word or line that is too long is cut", async () => {
  expect(await breakWords("One two three", 50, { width: 1_000, lines: 2 })).toEqual(["One two three"]);
  const lines = await breakWords("many words ".repeat(40), 50, { width: 500, lines: 3 });
  expect(lines).toHaveLength(3);
  expect(lines.at(-1)).toMatch(/…$/);
  expect((await breakWords("x".repeat(400), 50, { width: 500, lines: 3 }))[0]).toMatch(/^x+…$/);
});

test("characters missing in the font are left out, without boxes", async () => {
  const words = "Łódź 漢字 & Œuvre™ 🚀";
  expect(await breakWords(words, 20, { width: 1_000, lines: 2 })).toEqual(["Łódź & Œuvre™"]);
});

test("a machine without fonts renders the same bytes", async () => {
  const picture = { title: "Harbour Icons", line: "Line icons, from $9" };
  const folder = mkdtempSync(join(tmpdir(), "no-fonts-"));
  const file = join(folder, "fonts.conf");
  writeFileSync(file, `<?xml version="1.0"?><fontconfig><dir>${folder}/none</dir></fontconfig>`);
  const module = new URL("../../gateway/answers/social-picture.ts", import.meta.url).href;
  const code = `const { drawSocialPicture } = await import(${JSON.stringify(module)});
    process.stdout.write(await drawSocialPicture(${JSON.stringify(picture)}));`;
  const drawn = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], {
    env: { FONTCONFIG_FILE: file },
    encoding: "buffer",
    maxBuffer: 1e6,
  });
  rmSync(folder, { recursive: true });
  expect(drawn.stdout.equals(await drawSocialPicture(picture))).toBe(true);
  const nameless = await drawSocialPicture({ ...picture, title: "Harbour" });
  expect(drawn.stdout.equals(nameless)).toBe(false);
});
