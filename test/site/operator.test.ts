// The operator's page: a process's numbers with charts.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../../runtime/log/log.ts";
import { createOperatorHistory } from "../../runtime/ops/history.ts";
import { createMetrics, type Metrics } from "../../runtime/ops/metrics.ts";
import { operatorPage } from "../../runtime/ops/page.ts";
import type { Panel } from "../../runtime/ops/panels.ts";
import { type OpsServer, startOpsServer } from "../../runtime/ops/server.ts";
import { niceAbove } from "../../runtime/ops/tiles.ts";
import { percentile, since } from "../../runtime/ops/timings.ts";
import { openBrowser, type SiteBrowser } from "./support/browser.ts";

let server: OpsServer;
let browser: SiteBrowser;

beforeAll(async () => {
  const checks = [
    { name: "core", check: async () => true },
    { name: "worker <b>", check: async () => "its database is away" },
  ];
  server = await startOpsServer({
    port: 0,
    role: "atelier",
    registry: busyMetrics().registry,
    checks,
    panels: PANELS,
    log: createLog("silent", "test"),
  });
  browser = await openBrowser(`http://127.0.0.1:${server.port}`);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const ENDED = new Date("2026-01-31T23:30:00.000Z");
const PANELS: readonly Panel[] = [
  {
    title: "Providers",
    empty: "There is none.",
    note: "To change them: atelier provider",
    read: async () => ({
      columns: ["Provider", "State"],
      rows: [
        ["local", { text: "open for calls", tone: "good" }],
        ["far <away>", { text: "canvas fails", tone: "bad" }],
      ],
    }),
  },
  {
    title: "Failed jobs",
    empty: "",
    read: async () => ({
      columns: ["Job", "Why", "Ended"],
      rows: [["job_01KZZZZZZZZZZZZZZZZZZZZZZZ", "It was refused. ".repeat(20), { at: ENDED }]],
    }),
  },
  {
    title: "Margin",
    empty: "",
    read: async () => ({
      columns: ["Model", "Margin", "Unexplained"],
      rows: [
        ["atelier-motion", { text: "−$1.20", tone: "bad" }, "nothing"],
        ["atelier-voice", "$12.00", { text: "1,204", tone: "bad" }],
      ],
    }),
  },
  { title: "Open orders", empty: "No order waits.", read: async () => ({ columns: ["Order"], rows: [] }) },
  { title: "Database", empty: "", read: () => Promise.reject(new Error("away")) },
  { title: "Ledger", empty: "", read: () => new Promise(() => {}) },
];

function busyMetrics(): Metrics {
  const metrics = createMetrics();
  const accept = metrics.duration("job_accept", "Accepting.", []);
  for (let i = 1; i <= 100; i++) accept.observe({}, i / 1000);
  metrics.duration("provider_call", "Calls.", ["provider"]).observe({ provider: "far" }, 90);
  metrics.gauge("jobs_waiting", "Jobs.", () => 12);
  metrics.gauge("jobs_oldest_waiting_seconds", "Age.", () => 3.25);
  metrics.gauge("catalog_version", "Version.", () => Promise.reject(new Error("away")));
  metrics.counter("jobs_rescued_total", "Jobs.", []).inc(2);
  const attempts = metrics.counter("callback_attempts_total", "Attempts.", ["status"]);
  attempts.inc({ status: "delivered" }, 40);
  attempts.inc({ status: "failed" }, 3);
  metrics.counter("rate_refusals_total", "Refusals.", ["limit"]).inc({ limit: "generate" }, 7);
  return metrics;
}

test("the operator's page shows readiness and the process's numbers, accessibly in every colour scheme", async () => {
  await browser.visit("/", {}, async ({ page, expectGoodInEveryLight }) => {
    const tile = (title: string) =>
      page.locator(".tile").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
    expect(await page.getByText("worker <b>: no (its database is away)").count()).toBe(1);
    expect(await page.getByRole("heading", { name: "Not ready for work" }).count()).toBe(1);
    expect(await tile("Jobs waiting").locator(".value").textContent()).toBe("12");
    expect(await tile("Longest wait in the queue").locator(".value").textContent()).toBe("3.3 s");
    expect(await tile("Leases recovered").locator(".value").textContent()).toBe("2");
    expect(await tile("Failed webhooks").locator(".value").textContent()).toBe("3");
    expect(await tile("Attempts to deliver webhooks").textContent()).toMatch(/delivered: 40.*failed: 3/s);
    expect(await tile("Refused by a rate").textContent()).toContain("generate: 7");
    expect(await tile("Version of the catalog").count()).toBe(0);
    const timing = await tile("Accepting a job").textContent();
    expect(timing).toMatch(/p50\s*50 ms\s*p95\s*95 ms\s*p99\s*99 ms/);
    expect(timing).toContain("100 in the last quarter of an hour");
    expect(await tile("Calling a provider").textContent()).toMatch(/p50\s*> 1 min/);
    expect(await tile("Jobs waiting").locator(".axis--time").textContent()).toBe("15 min agonow");
    const panel = (title: string) =>
      page.locator(".panel").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
    expect(await panel("Providers").locator("tbody tr").allTextContents()).toEqual([
      expect.stringMatching(/local\s*open for calls/),
      expect.stringMatching(/far <away>\s*canvas fails/),
    ]);
    const ended = panel("Failed jobs").locator("time");
    // Text beside an id takes no room from it.
    const lines = await page.evaluate<number>(
      "(() => { const range = new Range(); range.selectNodeContents([...document.querySelectorAll('td')].find((cell) => cell.textContent.startsWith('job_'))); return range.getClientRects().length; })()",
    );
    expect(lines).toBe(1);
    const reason = await panel("Failed jobs").locator(".prose").boundingBox();
    expect(reason?.width).toBeGreaterThan(reason?.height ?? Infinity);
    expect(await ended.getAttribute("title")).toBe("2026-01-31 23:30 UTC");
    expect(await ended.textContent()).toBe(
      await page.evaluate(
        (at) =>
          new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(new Date(at)),
        ENDED.toISOString(),
      ),
    );
    expect(await panel("Margin").locator(".number").allTextContents()).toEqual([
      "Margin",
      "Unexplained",
      "−$1.20",
      "nothing",
      "$12.00",
      "1,204",
    ]);
    expect(await panel("Open orders").count()).toBe(0);
    expect(await page.getByText("No order waits.").count()).toBe(1);
    for (const title of ["Database", "Ledger"])
      expect(await panel(title).textContent()).toContain("This could not be read now.");
    await expectGoodInEveryLight("operator");
  });
});

test("percentiles match the values within the resolution of the buckets", () => {
  const buckets = [
    [0.1, 50],
    [0.5, 90],
    [1, 100],
    [Infinity, 100],
  ] as const;
  expect(percentile(buckets, 50)).toBeCloseTo(0.1);
  expect(percentile(buckets, 70)).toBeCloseTo(0.3);
  expect(percentile(buckets, 95)).toBeCloseTo(0.75);
  expect(
    percentile(
      [
        [1, 0],
        [Infinity, 3],
      ],
      50,
    ),
  ).toBe(Infinity);
  expect(
    percentile(
      [
        [1, 0],
        [Infinity, 0],
      ],
      50,
    ),
  ).toBeUndefined();
  expect(
    since(buckets, [
      [0.1, 50],
      [0.5, 80],
      [1, 80],
      [Infinity, 80],
    ]),
  ).toEqual([
    [0.1, 0],
    [0.5, 10],
    [1, 20],
    [Infinity, 20],
  ]);
});

test("an axis ends at a round number", () => {
  expect([0, 0.0034, 1, 7, 12, 199, 5000].map(niceAbove)).toEqual([1, 0.005, 1, 10, 20, 200, 5000]);
});

test("percentiles cover the last 15 minutes, and a chart has a step for each sample", async () => {
  const metrics = createMetrics();
  const accept = metrics.duration("job_accept", "Accepting.", []);
  const history = createOperatorHistory(metrics.registry);
  for (let i = 0; i < 1000; i++) accept.observe({}, 20);
  await history.sample();
  for (let i = 0; i < 95; i++) {
    accept.observe({}, 0.002);
    await history.sample();
  }
  const [timed] = [...(await history.timings()).values()];
  expect(percentile(timed?.recent ?? [], 99)).toBeLessThan(0.003);
  expect(timed?.steps).toHaveLength(90);
});

test("the operator's page refreshes itself on request, and reports when the process is gone", async () => {
  await browser.visit("/", { expectedErrors: /Failed to load resource/ }, async ({ page }) => {
    await page.clock.install();
    await page.reload();
    await page.locator("main").evaluate((main) => main.append("an old page"));
    await page.clock.runFor(10_000);
    await page.getByText("an old page").waitFor({ state: "detached" });
    expect(await page.locator("#state").textContent()).toBe("");
    await page.route("**/*", (route) => route.abort());
    await page.clock.runFor(10_000);
    await page.getByText("The process does not answer").waitFor();
  });
});

const pageOf = (metrics: Metrics, history = createOperatorHistory(metrics.registry)) =>
  operatorPage({ role: "core", uptimeSeconds: 5, checks: [], panels: [], history });

test("the operator's page shows money in dollars", async () => {
  const metrics = createMetrics();
  const cents = metrics.counter("order_cents_total", "Money.", ["what"]);
  cents.inc({ what: "revenue" }, 123_450);
  cents.inc({ what: "refunds" }, 5);
  const page = await pageOf(metrics);
  expect(page).toMatch(/<h3>Revenue<\/h3>\s*<p class="value">\$1,234\.50</);
  expect(page).toMatch(/<h3>Refunds<\/h3>\s*<p class="value">\$0\.05</);
});

test("the operator's page groups numbers by subject, and puts problems first", async () => {
  const metrics = createMetrics();
  metrics.gauge("mails_queued", "Mails.", () => 4);
  metrics.gauge("payments_unclaimed", "Payments.", () => 1);
  metrics.counter("order_events_total", "Orders.", ["event"]).inc({ event: "placed" });
  metrics.gauge("jobs_waiting", "Jobs.", () => 2);
  const page = await pageOf(metrics);
  expect([...page.matchAll(/<h[23]>([^<]*)</g)].map(([, title]) => title).slice(1)).toEqual([
    "Jobs",
    "Jobs waiting",
    "Sales",
    "Payments of no order",
    "Orders",
    "Webhooks, mail and support",
    "Mails to send",
  ]);
});

test("numbers that were always zero are named in a line, and others are drawn", async () => {
  const metrics = createMetrics();
  let queued = 3;
  metrics.gauge("mails_queued", "Mails.", () => queued);
  metrics.gauge("jobs_waiting", "Jobs.", () => 0);
  metrics.counter("downloads_total", "Downloads.", []);
  metrics.duration("job_accept", "Accepting.", []);
  const history = createOperatorHistory(metrics.registry);
  await history.sample();
  queued = 0;
  const page = await pageOf(metrics, history);
  expect(page).toContain(
    "Zero in the last quarter of an hour: Jobs waiting, Downloads of products&#39; files.",
  );
  expect(page).toContain("Not measured in the last quarter of an hour: Accepting a job.");
  expect([...page.matchAll(/<h2>([^<]*)</g)].map(([, title]) => title)).toEqual([
    "Ready for work, up 5 s",
    "Webhooks, mail and support",
  ]);
  expect([...page.matchAll(/<h3>([^<]*)</g)].map(([, title]) => title)).toEqual(["Mails to send"]);
});

test("a young process counts all in the last 15 minutes, and its line starts at its first sample", async () => {
  const metrics = createMetrics();
  const ended = metrics.counter("jobs_ended_total", "Jobs.", ["state"]);
  const accept = metrics.duration("job_accept", "Accepting.", []);
  const history = createOperatorHistory(metrics.registry);
  ended.inc({ state: "completed" }, 20);
  accept.observe({}, 0.01);
  await history.sample();
  ended.inc({ state: "completed" }, 7);
  const page = await pageOf(metrics, history);
  expect(page).toContain("since the start, 27 in the last quarter of an hour");
  const lineOf = (title: string) =>
    new RegExp(`aria-label="${title}[^>]*>\\s*<path class="line line--0" d="([^"]*)"`).exec(page)?.[1];
  // Two of ninety steps of a chart that is 300 wide, and a single value as a dot.
  expect(lineOf("Jobs ended")).toMatch(/^M296\.7 0\.0L300\.0 /);
  expect(lineOf("Accepting a job")).toMatch(/^M296\.7 [\d.]+h0$/);
});

test("the operator's page reports ready when only a minor part is down", async () => {
  const history = createOperatorHistory(createMetrics().registry);
  const headingWith = async (isMinor: boolean) => {
    const checks = [{ name: "room", passes: false, isMinor }];
    const page = await operatorPage({ role: "core", uptimeSeconds: 5, checks, panels: [], history });
    return /<h2>([^,]*),/.exec(page)?.[1];
  };
  expect([await headingWith(true), await headingWith(false)]).toEqual([
    "Ready for work",
    "Not ready for work",
  ]);
});

test("charts show the growth of counters and the level of gauges, and keep 15 minutes", async () => {
  const metrics = createMetrics();
  let waiting = 0;
  metrics.gauge("jobs_waiting", "Jobs.", () => waiting);
  const rescued = metrics.counter("jobs_rescued_total", "Jobs.", []);
  const history = createOperatorHistory(metrics.registry);
  rescued.inc(1_000);
  for (let i = 0; i < 200; i++) {
    waiting = i;
    rescued.inc(i === 150 ? 5 : 0);
    await history.sample();
  }
  const page = await operatorPage({ role: "worker", uptimeSeconds: 7300, checks: [], panels: [], history });
  expect(page).toContain("Jobs waiting: at most 199 in the chart");
  expect(page).toContain("Leases recovered: at most 5 in the chart");
  expect(page).toContain("since the start, 5 in the last quarter of an hour");
  expect(page).toContain("up 2 h");
  expect([
    ...(
      /aria-label="Jobs waiting[^>]*>\s*<path class="line line--0" d="([^"]*)"/.exec(page)?.[1] ?? ""
    ).matchAll(/[ML]/g),
  ]).toHaveLength(91);
});

test("the operator's page reports missing numbers", async () => {
  const history = createOperatorHistory(createMetrics().registry);
  expect(await operatorPage({ role: "mcp", uptimeSeconds: 5, checks: [], panels: [], history })).toContain(
    "keeps none of the numbers",
  );
});
