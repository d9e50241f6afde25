import { describe, expect, test } from "vitest";
import { renderToStaticMarkup } from "../../gateway/site/design/markup.js";
import { timeAgo, timeOf } from "../../gateway/site/design/time.ts";
import { browserName } from "../../gateway/site/session/browser-name.ts";
import { placeholder } from "../../gateway/site/studio/placeholder.ts";
import type { JobResource } from "../../proto/resources/job.ts";

const NOW = new Date("2026-03-15T12:00:00.000Z");

describe("a time on the website", () => {
  test.each([
    ["2026-03-15T11:59:30.000Z", "just now"],
    ["2026-03-15T12:00:20.000Z", "in a moment"],
    ["2026-03-15T11:59:00.000Z", "1 minute ago"],
    ["2026-03-15T11:59:10.000Z", "1 minute ago"],
    ["2026-03-15T10:01:00.000Z", "1 hour ago"],
    ["2026-03-14T11:00:00.000Z", "yesterday"],
    ["2026-03-20T12:00:00.000Z", "in 5 days"],
    ["2026-02-01T12:00:00.000Z", "1 February 2026"],
  ])("%s is %s, with the exact one as its title", (at, words) => {
    const text = renderToStaticMarkup(timeAgo(at, NOW));
    expect(text).toContain(`>${words}</time>`);
    expect(text).toContain(`datetime="${at}"`);
    expect(text).toMatch(/title="\d+ \w+ 2026, \d\d:\d\d UTC"/);
  });

  test("a time on the website that is exact is in UTC until a script replaces it", () => {
    expect(renderToStaticMarkup(timeOf("2026-03-15T08:05:00.000Z"))).toContain(
      ">15 Mar 2026, 08:05 UTC</time>",
    );
  });
});

describe("the position of a result", () => {
  const place = (modality: JobResource["modality"], params: Record<string, unknown>) => {
    const text = renderToStaticMarkup(placeholder(modality, { params, children: "Waiting" }));
    return [...text.matchAll(/<svg class="frame__size" viewBox="[\d ]+" width="(\d+)" height="(\d+)"/g)].map(
      ([, w, h]) => `${w}x${h}`,
    );
  };

  test.each([
    ["image", { width: 800, height: 600 }, ["800x600"]],
    ["image", { width: 800, height: 600, count: 2 }, ["800x600", "800x600"]],
    ["image", { size: "1024x1536" }, ["1024x1536"]],
    ["image", { aspect_ratio: "16:9" }, ["1024x576"]],
    ["image", { size: "large", count: "many" }, ["1024x1024"]],
    ["video", { width: -1 }, ["1280x720"]],
    ["audio", {}, []],
  ] as const)("of %s by %j is %j", (modality, params, sizes) => {
    expect(place(modality, params)).toEqual(sizes);
  });
});

const MOZILLA = "Mozilla/5.0";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [`${MOZILLA} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, "Firefox on Linux"],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`${MOZILLA} (Windows NT 10.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`, "Edge on Windows"],
  [`${MOZILLA} (Linux; Android 15) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/26.0 Safari/605.1.15`,
    "Safari on macOS",
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${WEBKIT} CriOS/140.0 Mobile Safari/604.1`,
    "Chrome on iOS",
  ],
  ["Firefox/140.0", "Firefox"],
  ["curl/8.5.0", "curl/8.5.0"],
  ["", "Unknown browser"],
])("the user agent %j is %j", (userAgent, words) => {
  expect(browserName(userAgent)).toBe(words);
});
