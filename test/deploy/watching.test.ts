// Alerts and dashboards query exported metrics, every alert has its chapter, and it fires on its condition.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROMETHEUS = join(ROOT, "deploy/prometheus");
const DASHBOARDS = join(ROOT, "deploy/grafana/dashboards");

type Rule = { alert?: string; record?: string; expr: string; annotations?: { runbook?: string } };
const rules = (
  parse(readFileSync(join(PROMETHEUS, "rules.yaml"), "utf8")) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const boards = readdirSync(DASHBOARDS).filter((file) => file.endsWith(".json"));
const panels = boards.flatMap((file) => {
  const board = JSON.parse(readFileSync(join(DASHBOARDS, file), "utf8")) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  return board.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ where: `${file}: ${title}`, expr })),
  );
});

/** The metrics of the sources, by their scraped names. */
const exported = new Set(
  ["core", "edge", "gateway", "mcp", "runtime"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => {
        const source = readFileSync(join(ROOT, folder, file), "utf8");
        return [...source.matchAll(/\b(counter|gauges?|duration)\(\s*"([a-z_]+)"/g)].map(
          ([, kind, name]) => `atelier_${name}${kind === "duration" ? "_seconds" : ""}`,
        );
      }),
  ),
);
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
const handbook = readFileSync(join(ROOT, "docs/operations/monitoring.md"), "utf8");

/** Queried metrics that no source exports. */
function unknown(query: string): string[] {
  const asked = [...query.matchAll(/\batelier[_:][a-z0-9_:]+/g)].map(([name]) => name);
  return asked.filter(
    (name) =>
      !recorded.has(name) && !exported.has(name) && !exported.has(name.replace(/_(bucket|count|sum)$/, "")),
  );
}

test("rules and dashboards query only exported metrics, and the handbook lists all of these", () => {
  expect(exported.size).toBeGreaterThan(40);
  expect(panels.length).toBeGreaterThan(60);
  const wrong = [
    ...rules.map(({ alert, record, expr }) => ({ where: alert ?? record, expr })),
    ...panels,
  ].flatMap(({ where, expr }) => unknown(expr).map((name) => `${where}: ${name}`));
  expect(wrong).toEqual([]);
  expect([...exported].filter((name) => !handbook.includes(`\`${name}\``))).toEqual([]);
  // An unknown metric would be found.
  expect(unknown("rate(atelier_jobs_endet_total[5m]) / atelier:slo_erors:ratio5m")).toEqual([
    "atelier_jobs_endet_total",
    "atelier:slo_erors:ratio5m",
  ]);
});

test("every alert has a test that fires it, one that does not, and a chapter of the runbook", () => {
  const runbook = readFileSync(join(ROOT, "docs/operations/runbook.md"), "utf8");
  const chapters = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = ""]) =>
    title.toLowerCase().replaceAll(" ", "-"),
  );
  type Raised = { alertname: string; exp_alerts: unknown[] };
  const tried = ["rules.test.yaml", "slow.test.yaml"].flatMap((file) =>
    (
      parse(readFileSync(join(PROMETHEUS, file), "utf8"), { merge: true }) as {
        tests: { alert_rule_test: Raised[] }[];
      }
    ).tests.flatMap((one) => one.alert_rule_test),
  );
  const alerts = rules.flatMap(({ alert, annotations }) => (alert ? [{ alert, annotations }] : []));
  expect(alerts.length).toBeGreaterThan(12);
  for (const { alert, annotations } of alerts) {
    expect(chapters, alert).toContain(annotations?.runbook);
    const own = tried.filter(({ alertname }) => alertname === alert);
    expect(
      own.some(({ exp_alerts: raised }) => raised.length > 0),
      `${alert} is raised`,
    ).toBe(true);
    expect(
      own.some(({ exp_alerts: raised }) => raised.length === 0),
      `${alert} is silent`,
    ).toBe(true);
  }
});

const promtool = spawnSync("promtool", ["--version"]).status === 0;
test.runIf(promtool)("alerts fire on their condition and are silent otherwise", () => {
  const files = ["rules.test.yaml", "slow.test.yaml"].map((file) => join(PROMETHEUS, file));
  const run = spawnSync("promtool", ["test", "rules", ...files], { encoding: "utf8" });
  expect(run.stdout + run.stderr).toContain("SUCCESS");
  expect(run.status).toBe(0);
});
