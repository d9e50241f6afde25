// Properties of every response of the website: headers, files, and errors for people and programs.
import { brotliDecompressSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import { createHttpServer } from "../../edge/http/server.ts";
import { html } from "../../gateway/site/design/markup.js";
import { renderPage } from "../../gateway/site/layout/render-page.ts";
import type { Form } from "../../gateway/site/session/forms.ts";
import { siteRoutes } from "../../gateway/site/site.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { createFakeCore } from "../support/fake-core.ts";
import { openBrowser, type SiteBrowser } from "./support/browser.ts";

const PAGE = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const person = {
  name: "Ada",
  email: "ada@example.com",
  csrfToken: "a-token",
  creditsAvailable: 1_240,
  inboxUnread: 0,
  timeZone: "",
};

let server: FastifyInstance;
let url: string;
let browser: SiteBrowser;

beforeAll(async () => {
  const config = loadConfig({
    ATELIER_RATE_LIMITS: "off",
    ATELIER_SECRET: "a secret that only tests know, long enough",
  });
  server = createHttpServer({ config, log: createLog("silent", "test") });
  const { client: core } = createFakeCore();
  const answers = {
    findReady: () => undefined,
    findUnchanged: () => undefined,
    answer: fails,
    states: { current: () => undefined, nowMs: () => 0 },
    stop: async () => {},
  };
  await server.register(async (app) => {
    const baseUrl = "http://localhost";
    await siteRoutes(app, {
      core,
      config,
      limits: createRateLimits(config, createMetrics()),
      baseUrl,
      generationBaseUrl: baseUrl,
      answers,
      apiDocument: () => ({ paths: {}, components: {} }),
    });
    app.get("/mine", (_request, reply) =>
      renderPage(reply, { title: "Mine", path: "/mine", person, body: html`<h1>Mine</h1>`, status: 201 }),
    );
    app.get("/broken", () => fails());
    app.get("/account/api/broken", () => fails());
    app.post<{ Body: Form }>("/form", async ({ body }) => ({
      a: body.all("a"),
      last: body.get("a"),
      none: body.get("c"),
    }));
  });
  url = await server.listen({ host: "127.0.0.1", port: 0 });
  browser = await openBrowser(url);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

async function fails(): Promise<never> {
  throw new Error("a secret of the inside");
}

describe("a page", () => {
  test("for a signed-in person is not cached, and may load and call only its own origin", async () => {
    const response = await fetch(`${url}/mine`);
    expect(response.status).toBe(201);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy.split("; ").sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "media-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    const text = await response.text();
    expect(text).toMatch(/^<!doctype html><html lang="en">/);
    expect(text).toContain('<meta name="csrf-token" content="a-token"');
  });
});

describe("a page for one person", () => {
  const ask = (site?: string) => {
    const headers = { "accept-encoding": "br", ...(site !== undefined && { "sec-fetch-site": site }) };
    return server.inject({ path: "/mine", headers });
  };

  test.each(["same-origin", "none"])(
    "is compressed where the browser says it was requested from %s",
    async (site) => {
      const plain = await ask();
      const { headers, rawPayload } = await ask(site);
      expect(headers).toMatchObject({
        "content-encoding": "br",
        "content-length": String(rawPayload.length),
      });
      expect(brotliDecompressSync(rawPayload).toString()).toBe(plain.payload);
      expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    },
  );

  test.each(["cross-site", "same-site", undefined])(
    "is not compressed for a possible cross-site request (%s): its length could reveal its token",
    async (site) => {
      const { headers, payload } = await ask(site);
      expect(headers["content-encoding"]).toBeUndefined();
      expect(payload).toContain('content="a-token"');
    },
  );
});

describe("a static file of the website", () => {
  const assetIn = async (pattern: RegExp) => {
    const text = await (await fetch(`${url}/mine`)).text();
    return pattern.exec(text)?.[1] ?? "";
  };

  test("is immutable under its name, and compressed", async () => {
    const path = await assetIn(/href="(\/assets\/site\.[^"]+\.css)"/);
    const response = await fetch(url + path, { headers: { "accept-encoding": "br" } });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-encoding": "br",
      "content-type": "text/css; charset=utf-8",
      vary: "accept-encoding",
    });
    const plain = await fetch(url + path, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe(await response.text());
  });

  test("is sent as it is if it is a font, which the page fetches before its style sheet names it", async () => {
    const path = await assetIn(/<link rel="preload" href="([^"]+\.woff2)" as="font"/);
    const sheet = await fetch(url + (await assetIn(/href="(\/assets\/site\.[^"]+\.css)"/)));
    const rules = await sheet.text();
    expect(rules).toContain(`url("${path}")`);
    // Arrows and triangles are drawn, because fonts without them show a box.
    expect(rules).not.toMatch(/[\u2190-\u2bff]/);
    const font = await fetch(url + path, { headers: { "accept-encoding": "br" } });
    expect(font.headers.get("content-type")).toBe("font/woff2");
    expect(font.headers.get("content-encoding")).toBeNull();
    expect(
      Buffer.from(await font.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe("wOF2");
  });

  test.each(["/assets/", "/assets/site.css", "/assets/../package.json", "/assets/%2e%2e/site.ts"])(
    "%s does not exist",
    async (path) => {
      const { statusCode } = await server.inject(path);
      expect(statusCode).toBe(404);
    },
  );
});

describe("an error", () => {
  test.each([
    ["GET", "/nowhere", 404],
    ["DELETE", "/mine", 405],
    ["GET", "/broken", 500],
    ["GET", "/%zz", 400],
  ] as const)(
    "for %s %s is a page for browsers with status %i, and JSON for programs",
    async (method, path, status) => {
      const page = await fetch(url + path, { method, headers: PAGE });
      expect(page.status).toBe(status);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("content-security-policy")).toContain("style-src 'self'");
      expect(page.headers.get("cache-control")).toBe("no-store");
      const text = await page.text();
      expect(text).toContain("</html>");
      expect(text).toContain(page.headers.get("x-request-id"));
      expect(text).not.toContain("secret of the inside");

      const answer = await fetch(url + path, { method, headers: { accept: "application/json" } });
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({ code: expect.any(String), request_id: expect.any(String) });
    },
  );

  test.each(["/api/nowhere", "/api", "/account/api/broken", "/.well-known/oauth-authorization-server"])(
    "for %s is always JSON",
    async (path) => {
      const response = await fetch(url + path, { headers: PAGE });
      expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    },
  );

  test("looks like the rest of the website", async () => {
    await browser.visit(
      "/nowhere",
      { expectedErrors: /404/ },
      async ({ page, expectAccessible, screenshot }) => {
        expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("We cannot find that");
        await expectAccessible();
        await screenshot("not-found");
      },
    );
  });
});

test("a form is parsed into names and values", async () => {
  const response = await fetch(`${url}/form`, {
    method: "POST",
    body: new URLSearchParams("a=1&b=2&a=%C3%A9"),
  });
  expect(await response.json()).toEqual({ a: ["1", "é"], last: "é", none: "" });
});
