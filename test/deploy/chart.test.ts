// The rendered Helm chart is valid, sets only existing settings, and allows only needed connections. helm, kubeconform and schemas come
// from the PATH or, by scripts/chart-tools.sh, from .cache; without them those tests are skipped.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { CONFIG_KEYS } from "../../runtime/config/config-keys.ts";
import { loadConfig } from "../../runtime/config/config.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CHART = join(ROOT, "deploy/helm/atelier");
const TOOLS = join(ROOT, ".cache/chart-tools");
const SCHEMAS = join(TOOLS, "schemas");
const env = { ...process.env, PATH: [join(TOOLS, "bin"), process.env.PATH].join(delimiter) };
const has = (tool: string, ask: string): boolean => spawnSync(tool, [ask], { env }).status === 0;
const helmIsThere = has("helm", "version");
const kubeconformIsThere = has("kubeconform", "-v") && existsSync(SCHEMAS);

type Labels = Record<string, string>;
type Selector = {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
};
type Peer = { podSelector?: Selector; namespaceSelector?: Selector; ipBlock?: object };
type Rule = { from?: Peer[]; to?: Peer[]; ports?: { port: string | number }[] };
type Items = { secretName: string; items: { key: string; path: string }[] };
type Container = {
  name: string;
  args: string[];
  env?: { name: string; value: string }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string }[];
  securityContext: object;
  readinessProbe?: { httpGet: { path: string; port: string } };
};
type Pod = {
  containers: [Container];
  initContainers?: [Container];
  volumes: { name: string; secret?: Items }[];
  securityContext: object;
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  terminationGracePeriodSeconds: number;
  serviceAccountName: string;
};
type PodTemplate = { metadata: { labels: Labels }; spec: Pod };
type Thing = {
  kind: string;
  metadata: { name: string; labels?: Labels; annotations?: Labels };
  spec?: {
    template?: PodTemplate;
    jobTemplate?: { spec: { template: PodTemplate } };
    selector?: Selector & Labels;
    podSelector?: Selector;
    policyTypes?: string[];
    ingress?: Rule[];
    egress?: Rule[];
    metrics?: { type: string; external?: { metric: { name: string } } }[];
    groups?: unknown;
    rules?: { host: string }[];
    replicas?: number;
  };
};

const VALUES = ["plain", "everything", "small"] as const;
const rendered = new Map<string, Thing[]>();

function helm(
  command: string,
  values: string,
  ...args: string[]
): { status: number | null; stdout: string; stderr: string } {
  const file = join(ROOT, `test/deploy/chart/${values}.yaml`);
  return spawnSync("helm", [command, CHART, "--values", file, ...args], {
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
}
/** Rendered for a Kubernetes version that the chart allows. */
const template = (values: string, ...args: string[]) =>
  helm("template", values, "--name-template", "atelier", "--kube-version", "1.37.0", ...args);
function render(values: string, ...args: string[]): Thing[] {
  const { status, stdout, stderr } = template(values, ...args);
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).flatMap((document) => {
    const thing = document.toJS() as Thing | null;
    return thing ? [thing] : [];
  });
}
const things = (values: string, kind?: string): Thing[] =>
  (rendered.get(values) ?? []).filter((thing) => kind === undefined || thing.kind === kind);
/** Each role's pod, by the role's name. */
const pods = (values: string): [role: string, Pod, Labels][] =>
  things(values).flatMap(({ spec }) => {
    const { metadata, spec: pod } = spec?.template ?? spec?.jobTemplate?.spec.template ?? {};
    return metadata && pod
      ? [[metadata.labels["app.kubernetes.io/component"] ?? "", pod, metadata.labels]]
      : [];
  });
const settingsOf = ({ env: list = [] }: Container): Record<string, string> =>
  Object.fromEntries(list.map(({ name, value }) => [name, value]));
const isSetting = (name: string): boolean =>
  Object.values(CONFIG_KEYS).some(({ env: known }) => known === name || `${known}_FILE` === name);

function selects(selector: Selector | undefined, labels: Labels): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(
      ({ key, operator, values }) => operator === "In" && values.includes(labels[key] ?? ""),
    )
  );
}

test("the chart has the version of package.json", () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  const chart = parse(readFileSync(join(CHART, "Chart.yaml"), "utf8")) as {
    version: string;
    appVersion: string;
  };
  expect(chart).toMatchObject({ version, appVersion: version });
});

test("templates and values name existing settings", () => {
  const files = [...readdirSync(join(CHART, "templates")).map((name) => `templates/${name}`), "values.yaml"];
  const named = files.flatMap((file) =>
    [...readFileSync(join(CHART, file), "utf8").matchAll(/\b(?:ATELIER|MONGODB)_[A-Z0-9_]+/g)].map(
      ([name]) => name,
    ),
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => name !== "ATELIER_" && !isSetting(name))).toEqual([]);
});

test("the workers' autoscaler requests the metric that the adapter exports", () => {
  const adapter = parse(readFileSync(join(ROOT, "deploy/helm/prometheus-adapter.yaml"), "utf8")) as {
    rules: { external: [{ name: { as: string }; seriesQuery: string; metricsQuery: string }] };
  };
  const [{ name, seriesQuery, metricsQuery }] = adapter.rules.external;
  expect(readFileSync(join(ROOT, "docs/operations/monitoring.md"), "utf8")).toContain(`\`${name.as}\``);
  expect(seriesQuery).toContain(name.as);
  expect(metricsQuery).toMatch(/^max\(/);
  expect(readFileSync(join(CHART, "templates/roles.yaml"), "utf8")).toContain(`metric: { name: ${name.as} }`);
});

test("pods wait while a core of another release answers, and for the first of their own", async () => {
  const wait = (all: string, ours: string) =>
    spawn(process.execPath, [join(CHART, "cores-first.mjs"), all, ours], {
      stdio: ["ignore", "pipe", "inherit"],
    });
  const [code] = (await once(wait("127.0.0.1", "127.0.0.1"), "exit")) as [number];
  expect(code).toBe(0);
  const waiting = wait("127.0.0.2", "127.0.0.1");
  const [line] = (await once(waiting.stdout, "data")) as [Buffer];
  expect(line.toString()).toBe("waiting: 1 cores of this release, 1 of another\n");
  waiting.kill();
});

describe.runIf(helmIsThere)("the chart rendered by helm", () => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-chart-"));

  beforeAll(() => {
    for (const values of VALUES) rendered.set(values, render(values));
    // The addresses of mail server and Redis are no secrets here.
    const mail = ["--set", "data.config.ATELIER_SMTP_URL=smtp://mail"];
    rendered.set("open", render("plain", ...mail, "--set", "faces.config.ATELIER_REDIS_URL=redis://redis"));
    spawnSync("sh", [join(ROOT, "deploy/secrets.sh"), folder]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(VALUES)("has no lint errors in %s", (values) => {
    const { status, stdout } = helm("lint", values, "--strict");
    expect(status, stdout).toBe(0);
  });

  test("sets only existing settings, which production accepts, and mounts each file that they name", () => {
    for (const values of VALUES)
      for (const [role, pod] of pods(values)) {
        const settings = settingsOf(pod.containers[0]);
        const mounts = pod.containers[0].volumeMounts ?? [];
        for (const [name, path] of Object.entries(settings)) {
          expect(isSetting(name), `${name} of ${role}`).toBe(true);
          if (!path.startsWith("/")) continue;
          const mount = mounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`));
          const items = pod.volumes.find((volume) => volume.name === mount?.name)?.secret?.items ?? [];
          const found = items.find((item) => `${mount?.mountPath}/${item.path}` === path);
          expect(found, `${path} of ${role}`).toBeDefined();
        }
        // With the files of deploy/secrets.sh, and texts for those that it does not create.
        const loaded = Object.entries(settings).map(([name, value]) => {
          const made = join(folder, value.split("/").at(-1) ?? "");
          if (name === "ATELIER_SMTP_URL_FILE") return ["ATELIER_SMTP_URL", "smtps://mail.example.com"];
          if (name === "ATELIER_REDIS_URL_FILE") return ["ATELIER_REDIS_URL", "redis://redis"];
          return [name, name.endsWith("_FILE") ? made : value];
        });
        expect(() => loadConfig(Object.fromEntries(loaded)), role).not.toThrow();
      }
  });

  test("gives each pod only the secrets of its role", () => {
    const secrets = Object.fromEntries(
      pods("plain").map(([role, { volumes }]) => [
        role,
        volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []).sort(),
      ]),
    );
    const data = ["atelier-secret", "mongodb-uri", "trusted-keys.json"];
    expect(secrets).toEqual({
      core: [...data.slice(0, 1), "core-key.pem", "core.pem", "credentials.pem", ...data.slice(1)],
      worker: [...data.slice(0, 1), "credentials-key.pem", "credentials.pem", ...data.slice(1)],
      migrate: data,
      gateway: ["atelier-secret", "ca.pem", "gateway-key.pem"],
      mcp: ["atelier-secret", "ca.pem", "mcp-key.pem"],
      cli: ["atelier-secret", "ca.pem", "cli-key.pem"],
    });
    expect(things("everything").filter(({ kind }) => kind === "Secret")).toEqual([]);
  });

  test.each([
    ["everything", "ATELIER_SMTP_URL_FILE", "/run/secrets/atelier/smtp-url"],
    ["open", "ATELIER_SMTP_URL", "smtp://mail"],
  ])("gives the mail server of %s to the gateway too, which mails sign-in links", (values, name, server) => {
    const found = pods(values).flatMap(([role, { containers }]) => {
      const value = settingsOf(containers[0])[name];
      return value === undefined || role === "backup" ? [] : [[role, value]];
    });
    const roles = ["core", "worker", "gateway", "migrate"];
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(roles.map((role) => [role, server])));
  });

  test("runs files of the image in restricted pods without a token", () => {
    for (const values of VALUES)
      for (const [role, pod] of pods(values)) {
        const [{ args }] = pod.containers;
        if (role !== "cli") expect(existsSync(join(ROOT, args[0] ?? "")), role).toBe(true);
        expect(pod).toMatchObject({
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          serviceAccountName: `atelier-${role}`,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
        });
        for (const container of [...pod.containers, ...(pod.initContainers ?? [])])
          expect(container.securityContext, role).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          });
        expect(
          things(values).some(
            (one) => one.kind === "ServiceAccount" && one.metadata.name === pod.serviceAccountName,
          ),
        ).toBe(true);
      }
  });

  test("keeps gateways and tool endpoints ready while core is away; cores and workers need their database", () => {
    for (const values of VALUES) {
      const probes = pods(values).flatMap(([role, { containers }]) => {
        const path = containers[0].readinessProbe?.httpGet.path;
        return path === undefined ? [] : [[role, path]];
      });
      expect(Object.fromEntries(probes)).toEqual({
        core: "/readyz",
        worker: "/readyz",
        gateway: "/readyz?exclude=core",
        mcp: "/readyz?exclude=core",
      });
    }
  });

  test("gives pods longer to stop than a shutdown may take", () => {
    for (const values of VALUES)
      for (const [role, pod] of pods(values)) {
        if (!["core", "worker", "gateway", "mcp"].includes(role)) continue;
        const settings = settingsOf(pod.containers[0]);
        const leaveMs = Number(settings.ATELIER_LEAVE_MS ?? 10_000);
        const drainMs = Number(settings.ATELIER_DRAIN_MS ?? 10_000);
        expect(pod.terminationGracePeriodSeconds * 1000, role).toBeGreaterThan(leaveMs + drainMs + 30_000);
      }
  });

  test("has selectors that match their pods and no others", () => {
    for (const values of VALUES) {
      const found = things(values).flatMap(({ kind, metadata, spec }) => {
        const selector = kind === "Service" ? { matchLabels: spec?.selector as Labels } : spec?.selector;
        if (!selector) return [];
        const roles = pods(values).filter(([, , labels]) => selects(selector, labels));
        return [[kind, metadata.name, roles.map(([role]) => role)] as const];
      });
      expect(found.length).toBeGreaterThan(8);
      for (const [kind, name, roles] of found) {
        const wanted =
          kind === "PodMonitor"
            ? ["core", "gateway", "mcp", "worker"]
            : [name.replace("atelier-", "").replace("-of-release", "")];
        expect(roles.toSorted(), `${kind} ${name}`).toEqual(wanted);
      }
    }
  });

  test("migrates in a hook before installation and upgrade, and updates cores before their clients", () => {
    const [job] = things("plain", "Job");
    expect(job?.metadata.annotations?.["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
    const [, ofRelease] = things("everything", "Service").filter(({ metadata }) =>
      metadata.name.startsWith("atelier-core"),
    );
    expect(ofRelease?.spec?.selector).toMatchObject({ "app.kubernetes.io/version": "9.9.9" });
    for (const [role, { initContainers = [] }] of pods("everything")) {
      const after = initContainers.map(({ args }) => args.slice(-2));
      const waits = ["worker", "gateway", "mcp"].includes(role);
      expect(after, role).toEqual(waits ? [["atelier-core", "atelier-core-of-release"]] : []);
    }
  });

  /** Evaluates the policies as Kubernetes does: a selected pod may use only connections that a policy allows. */
  function mayTalk(values: string, from: Labels, to: { labels: Labels; port: string | number }): boolean {
    const policies = things(values, "NetworkPolicy").map(({ spec }) => spec ?? {});
    const allows = (way: "Ingress" | "Egress", self: Labels, other: Labels): boolean => {
      const own = policies.filter(
        ({ podSelector, policyTypes }) => policyTypes?.includes(way) && selects(podSelector, self),
      );
      const rules = own.flatMap((policy) => policy[way === "Ingress" ? "ingress" : "egress"] ?? []);
      return (
        own.length === 0 ||
        rules.some((rule) => {
          const peers = way === "Ingress" ? rule.from : rule.to;
          return (
            (rule.ports === undefined || rule.ports.some(({ port }) => port === to.port)) &&
            (peers === undefined ||
              peers.some((peer) =>
                peer.namespaceSelector
                  ? selects(peer.namespaceSelector, other)
                  : peer.podSelector !== undefined && selects(peer.podSelector, other),
              ))
          );
        })
      );
    };
    return allows("Egress", from, to.labels) && allows("Ingress", to.labels, from);
  }

  test("has network policies for each allowed connection", () => {
    const labels = Object.fromEntries(pods("everything").map(([role, , own]) => [role, own]));
    const outsiders = {
      ingress: { "kubernetes.io/metadata.name": "ingress-nginx" },
      prometheus: { "kubernetes.io/metadata.name": "monitoring" },
      stranger: { "kubernetes.io/metadata.name": "elsewhere" },
    };
    const all: Record<string, Labels> = { ...labels, ...outsiders };
    const allowed: string[] = [];
    for (const [from, fromLabels] of Object.entries(all))
      for (const [to, toLabels] of Object.entries(labels))
        for (const port of ["grpc", "http", "ops"])
          if (mayTalk("everything", fromLabels, { labels: toLabels, port }))
            allowed.push(`${from} -> ${to}:${port}`);
    expect(allowed.toSorted()).toEqual(
      [
        ...["gateway", "mcp", "cli"].map((role) => `${role} -> core:grpc`),
        // The rule names all edges; the operator's pod listens on nothing.
        ...["gateway", "mcp", "cli"].map((role) => `ingress -> ${role}:http`),
        ...Object.keys(labels).map((role) => `prometheus -> ${role}:ops`),
      ].toSorted(),
    );
    const redis = { app: "redis" };
    expect(mayTalk("everything", labels.gateway ?? {}, { labels: redis, port: 6379 })).toBe(true);
    expect(mayTalk("everything", labels.worker ?? {}, { labels: redis, port: 6379 })).toBe(false);
    expect(mayTalk("plain", labels.gateway ?? {}, { labels: redis, port: 6379 })).toBe(false);
    expect(mayTalk("open", labels.gateway ?? {}, { labels: redis, port: 6379 })).toBe(true);
    const mail = { app: "mail" };
    for (const port of [25, 465, 587, 2525]) {
      expect(mayTalk("everything", labels.gateway ?? {}, { labels: mail, port })).toBe(true);
      expect(mayTalk("open", labels.gateway ?? {}, { labels: mail, port })).toBe(true);
      expect(mayTalk("everything", labels.mcp ?? {}, { labels: mail, port })).toBe(false);
      expect(mayTalk("plain", labels.gateway ?? {}, { labels: mail, port })).toBe(false);
    }
    for (const [role, own] of Object.entries(labels)) {
      const collector = { labels: { app: "collector" }, port: 4318 };
      expect(mayTalk("everything", own, collector), role).toBe(true);
      expect(mayTalk("plain", own, collector), role).toBe(false);
    }
    expect(things("small", "NetworkPolicy")).toEqual([]);
  });

  test("makes a nightly backup into the claim with the command of docs/operations/backup.md", () => {
    expect(things("plain", "CronJob")).toEqual([]);
    const [[, pod] = []] = pods("everything").filter(([role]) => role === "backup");
    expect(pod?.containers[0].args).toEqual(["core/entry/backup.ts", "/backups", "--keep", "14"]);
    expect(pod?.volumes).toContainEqual({ name: "backups", persistentVolumeClaim: { claimName: "backups" } });
  });

  test("sets no replicas on scaled deployments, and scales workers by the age of the queue", () => {
    expect(things("plain", "HorizontalPodAutoscaler")).toEqual([]);
    expect(
      things("everything", "HorizontalPodAutoscaler")
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    ).toEqual(["atelier-core", "atelier-gateway", "atelier-mcp", "atelier-worker"]);
    for (const { metadata, spec } of things("everything", "HorizontalPodAutoscaler")) {
      const external = spec?.metrics?.flatMap(({ external: one }) => one?.metric.name ?? []);
      const isWorker = metadata.name === "atelier-worker";
      expect(external).toEqual(isWorker ? ["atelier_jobs_oldest_waiting_seconds"] : []);
      const scaled = things("everything", "Deployment").find((one) => one.metadata.name === metadata.name);
      expect(scaled?.spec).not.toHaveProperty("replicas");
    }
  });

  test("has the alerts and dashboards of deploy/, and the addresses of the settings", () => {
    const alerts = parse(readFileSync(join(ROOT, "deploy/prometheus/rules.yaml"), "utf8")) as object;
    expect(things("everything", "PrometheusRule").map(({ spec }) => spec)).toEqual([alerts]);
    const dashboards = readdirSync(join(ROOT, "deploy/grafana/dashboards")).filter((name) =>
      name.endsWith(".json"),
    );
    expect(things("everything", "ConfigMap")).toHaveLength(dashboards.length);
    const hosts = (values: string) =>
      things(values, "Ingress").flatMap(({ spec }) => spec?.rules?.map(({ host }) => host));
    expect(hosts("everything")).toEqual(["atelier.example.com", "api.example.com"]);
    expect(hosts("small")).toEqual(["atelier.example.com"]);
    expect(hosts("plain")).toEqual([]);
  });

  test.each([
    ["a missing public URL", "config.ATELIER_BASE_URL=", /ATELIER_BASE_URL is needed/],
    ["an unknown value", "roles.core.replica=3", /additional properties 'replica' not allowed/],
    ["a secret in the settings", "data.config.MONGODB_URI=mongodb://x", /invalid propertyName 'MONGODB_URI'/],
    ["a setting that is not text", "config.ATELIER_LEAVE_MS=20000", /got number, want string/],
  ])("refuses %s", (_what, setting, why) => {
    const { status, stderr } = template("plain", "--set", setting);
    expect(stderr).toMatch(why);
    expect(status).toBe(1);
  });

  test.runIf(kubeconformIsThere)("is valid in each Kubernetes version that the chart allows", () => {
    // The operator's own kinds have no schema here.
    const skipped = "PodMonitor,PrometheusRule";
    const versions = readdirSync(SCHEMAS).filter((name) => Number(/^v1\.(\d+)/.exec(name)?.[1]) >= 29);
    expect(versions.length).toBeGreaterThan(1);
    const { stdout: input } = template("everything");
    for (const version of [versions.at(0), versions.at(-1)]) {
      const location = join(SCHEMAS, version ?? "", "{{.ResourceKind}}{{.KindSuffix}}.json");
      const { status, stdout } = spawnSync(
        "kubeconform",
        ["-strict", "-summary", "-skip", skipped, "-schema-location", location],
        { env, encoding: "utf8", input },
      );
      expect(stdout).toContain("Invalid: 0, Errors: 0, Skipped: 2");
      expect(status, stdout).toBe(0);
    }
  });
});
