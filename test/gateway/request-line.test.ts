// Invalid requests that node accepts, on a raw connection.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeCatalog, fakeCatalog, untilCached } from "./fake-catalog.ts";
import { exchange } from "./send-raw.ts";
import { type Gateway, serveGateway } from "./serve-gateway.ts";

let gateway: Gateway;
beforeEach(async () => {
  gateway = await serveGateway();
  gateway.answer("models.ListPlans", () => ({ plans: [] }));
});
afterEach(() => gateway.close());

const ask = (...lines: string[]) => exchange(gateway.url, `${lines.join("\r\n")}\r\n\r\n`);

function expectRefusal(answer: string, status: number, message: RegExp): void {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head.toLowerCase()).toContain("content-type: application/json");
  const requestId = /x-request-id: (\S+)/i.exec(head)?.[1];
  const json = /\{.*\}/s.exec(body)?.[0] ?? "";
  expect(JSON.parse(json)).toMatchObject({
    code: "invalid_request",
    message: expect.stringMatching(message),
    hint: expect.any(String),
    request_id: requestId,
  });
}

describe("[ERR-40] a request without a host or path", () => {
  test.each([
    ["two Host headers", ["GET /api/plans HTTP/1.1", "Host: a", "host: b"], /more than one Host/],
    ["two equal Host headers", ["GET /api/plans HTTP/1.1", "Host: a", "Host: a"], /more than one Host/],
    ["no Host header", ["GET /api/plans HTTP/1.1", "Accept: */*"], /no Host header/],
    ["a host with a space", ["GET /api/plans HTTP/1.1", "Host: a b"], /not the name/],
    ["a host of symbols", ["GET /api/plans HTTP/1.1", "Host: <>"], /not the name/],
    ["a host with a path", ["GET /api/plans HTTP/1.1", "Host: a/b"], /not the name/],
    ["a host with an invalid port", ["GET /api/plans HTTP/1.1", "Host: a:http"], /not the name/],
    ["an asterisk as the path", ["GET * HTTP/1.1", "Host: a"], /does not name a path/],
    ["HTTP/0.9", ["GET /api/plans"], /./],
  ])("%s: gets 400 with an ApiError", async (_name, lines, message) => {
    expectRefusal(await ask(...lines), 400, message);
    expect(gateway.calls).toEqual([]);
  });

  test.each(["localhost", "127.0.0.1:8080", "[::1]:80", "xn--bcher-kva.example", "EXAMPLE.com:443"])(
    "may have the host %s",
    async (host) => {
      const answer = await ask("GET /api/plans HTTP/1.1", `Host: ${host}`, "Connection: close");
      expect(answer).toMatch(/^HTTP\/1.1 200 /);
    },
  );

  test("is valid in HTTP/1.0", async () => {
    expect(await ask("GET /api/plans HTTP/1.0")).toMatch(/^HTTP\/1.1 200 /);
  });

  test("is refused for a cached response too", async () => {
    await gateway.close();
    let catalog: FakeCatalog | undefined;
    gateway = await serveGateway({}, (fake) => void (catalog = fakeCatalog(fake)));
    gateway.answer("catalog.ListProducts", () => ({
      body: Buffer.from("{}"),
      revision: "e.1",
      version: 1,
      total: 0,
      total_pages: 0,
      expires_at: "",
      products: [],
    }));
    if (!catalog) throw new Error("the gateway was made without its core");
    await untilCached(catalog, () => fetch(`${gateway.url}/api/catalog`));
    const target = "GET /api/catalog HTTP/1.1";
    expect(await ask(target, "Host: a", "Connection: close")).toMatch(/^HTTP\/1.1 200 /);
    expectRefusal(await ask(target, "Host: a", "Host: b"), 400, /more than one Host/);
  });
});

test.each([
  ["HTTP/1.1", ["GET /api/jobs HTTP/1.1", "Host: a"]],
  ["HTTP/1.0", ["GET /api/jobs HTTP/1.0"]],
])(
  "[KEY-40] two Authorization headers in %s are refused, whichever of them has a valid key",
  async (_version, target) => {
    const keys = [`Authorization: Bearer ${gateway.key}`, "authorization: Bearer another"];
    for (const lines of [keys, keys.toReversed()])
      expectRefusal(await ask(...target, ...lines), 400, /one Authorization/);
  },
);

test("[ERR-40] an expectation other than 100-continue: 417 with an ApiError", async () => {
  expectRefusal(await ask("GET /api/plans HTTP/1.1", "Host: a", "Expect: foo"), 417, /Expect header/);
});
