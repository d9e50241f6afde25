import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkCallbackUrl, isAllowedAddress } from "../../../../core/base/outbound/address.ts";

const production = { profile: "production", callbackAllowPrivate: false } as const;
const development = { profile: "development", callbackAllowPrivate: false } as const;
const everything = { profile: "production", callbackAllowPrivate: true } as const;

const PUBLIC = ["93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946", "2a00:1450:4001:81b::200e"];
const LOOPBACK = ["127.0.0.1", "127.255.255.254", "::1"];
const INSIDE = [
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "100.100.100.200",
  "168.63.129.16",
  "0.0.0.0",
  "0.1.2.3",
  "192.0.0.192",
  "192.0.2.1",
  "198.18.0.1",
  "203.0.113.7",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "fc00::1",
  "fd00:ec2::254",
  "ff02::1",
  "100::1",
  "2001:db8::1",
  "3fff::1",
  "5f00::1",
  "4000::1",
];

describe("an address", () => {
  test.each(PUBLIC)("%s is public", (address) => {
    expect(isAllowedAddress("public", address)).toBe(true);
    expect(isAllowedAddress("public_and_loopback", address)).toBe(true);
  });

  test.each(LOOPBACK)("%s is allowed where loopback is", (address) => {
    expect(isAllowedAddress("public", address)).toBe(false);
    expect(isAllowedAddress("public_and_loopback", address)).toBe(true);
  });

  test.each([...INSIDE, "", "localhost", "1.2.3", "010.0.0.1", "nonsense"])("%s is refused", (address) => {
    expect(isAllowedAddress("public", address)).toBe(false);
    expect(isAllowedAddress("public_and_loopback", address)).toBe(false);
  });

  test("an IPv4 address inside any form of IPv6 is refused", () => {
    const part = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(part, part, part, (a, b, other) => {
        const [high, low, more] = [a, b, other].map((number) => number.toString(16));
        const forms = [
          `::ffff:${high}:${low}`, // mapped
          `::${high}:${low}`, // compatible
          `::ffff:0:${high}:${low}`, // translated
          `2002:${high}:${low}::${more}`, // 6to4
          `64:ff9b::${high}:${low}`, // NAT64
          `64:ff9b:1:${more}::${high}:${low}`, // local NAT64
          `2001::${more}:${high}:${low}`, // Teredo
        ];
        for (const form of forms) expect([form, isAllowedAddress("public", form)]).toEqual([form, false]);
      }),
    );
  });
});

const refusal = (config: Parameters<typeof checkCallbackUrl>[0], url: string) =>
  checkCallbackUrl(config, url)?.message;

describe("a callback_url", () => {
  test.each([
    "https://example.com/hook",
    "https://example.com:8443/hook?x=1",
    "https://93.184.216.34/hook",
    "https://[2606:2800:220:1:248:1893:25c8:1946]/",
  ])("%s may be called in production", (url) => {
    expect(checkCallbackUrl(production, url)).toBeUndefined();
  });

  test.each([
    ["http://example.com/hook", "does not start with https://"],
    ["ftp://example.com/hook", "does not start with https://"],
    ["file:///etc/passwd", "does not start with https://"],
    ["nonsense", "is not an absolute URL"],
    ["https://user@example.com/", "has a user name or password in it"],
    ["https://:secret@example.com/", "has a user name or password in it"],
    [`https://example.com/${"x".repeat(2048)}`, "is longer than 2048 characters"],
    ["https://example.com:25/", "has a port that may not be used"],
    ["https://example.com:0/", "has a port that may not be used"],
    ["https://localhost/", "is not an address on the public internet"],
    ["https://LOCALHOST./", "is not an address on the public internet"],
    ["https://api.localhost/", "is not an address on the public internet"],
    ["https://127.0.0.1/", "is not an address on the public internet"],
    ["https://2130706433/", "is not an address on the public internet"],
    ["https://0x7f.1/", "is not an address on the public internet"],
    ["https://0177.0.0.1/", "is not an address on the public internet"],
    ["https://169.254.169.254/latest/meta-data", "is not an address on the public internet"],
    ["https://[::1]/", "is not an address on the public internet"],
    ["https://[::ffff:10.0.0.1]/", "is not an address on the public internet"],
  ])("[CALL-01] [CALL-02] %s is refused in production", (url, reason) => {
    const error = checkCallbackUrl(production, url);
    expect(error?.code).toBe("callback_url_refused");
    expect(error?.message).toBe(`The callback_url ${reason}.`);
  });

  test("may be loopback in development, over http too, and no other private address", () => {
    for (const url of [
      "http://localhost:3000/",
      "http://127.0.0.1:3000/",
      "https://[::1]:3000/",
      "http://app.localhost:3000/",
    ]) {
      expect([url, refusal(development, url)]).toEqual([url, undefined]);
    }
    expect(refusal(development, "http://10.0.0.1:3000/")).toContain("public internet");
    expect(refusal(development, "http://example.com/")).toContain("https://");
    expect(refusal(development, "http://93.184.216.34/")).toContain("https://");
  });

  test("[CALL-03] may be any http address where private targets are allowed, but without credentials", () => {
    expect(refusal(everything, "http://10.0.0.1:81/")).toBeUndefined();
    expect(refusal(everything, "http://user:password@10.0.0.1/")).toContain("password");
    expect(refusal(everything, "gopher://10.0.0.1/")).toContain("https://");
  });
});
