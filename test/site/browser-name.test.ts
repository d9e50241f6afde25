import { expect, test } from "vitest";
import { browserName } from "../../gateway/site/session/browser-name.ts";

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
