// The checks of `atelier doctor`: each finds its fault once and says what to fix.
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import type { CreateIndexesOptions } from "mongodb";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WAITS } from "../../../core/base/mongo/due.ts";
import {
  askMajority,
  type ServerInfo,
  serverInfo,
  type SetInfo,
  findIndexFaults,
  memberUri,
} from "../../../core/base/mongo/facts.ts";
import { ensureCollections } from "../../../core/base/mongo/indexes.ts";
import { ALL_COLLECTIONS } from "../../../core/entry/migrate.ts";
import { checkCertificates, hostAndPort, checkTime } from "../../../core/operations/checkup/certificates.ts";
import {
  ASKED_PARAMETERS,
  checkServer,
  checkIndexes,
  checkSchemaVersion,
} from "../../../core/operations/checkup/database-rules.ts";
import { MEMBER_PARAMETERS, SET_SETTINGS } from "../../../core/operations/checkup/fail-over-rules.ts";
import { exitCodeOf, type Finding, runChecks, pass, fail } from "../../../core/operations/checkup/finding.ts";
import {
  checkCore,
  checkOpsPort,
  checkPayments,
  checkPublicAddress,
} from "../../../core/operations/checkup/outside.ts";
import {
  checkMail,
  checkProviders,
  checkRedis,
  checkStorage,
} from "../../../core/operations/checkup/services.ts";
import { checkSecretFiles, checkSettings, secretsOf } from "../../../core/operations/checkup/settings.ts";
import { checkConfig, loadConfig } from "../../../runtime/config/config.ts";
import { startEntry } from "../../../scripts/testbed/processes.ts";
import { createTestApp } from "../../support/app.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { startOwnRedis } from "../../support/redis.ts";
import { startS3Server } from "../../support/s3-server.ts";
import { serve } from "../../support/serve.ts";
import { useFolder } from "../../support/shared.ts";

const NOW = new Date();
const DAY_MS = 86_400_000;
const signal = new AbortController().signal;
/** The check's verdict and text. */
const said = (found: readonly Finding[]) => found.map(({ verdict, what }) => `${verdict}: ${what}`);
const tell = (found: readonly Finding[]) => said(found).join("\n");

const folder = useFolder();

describe("the checkup of a database", () => {
  const parameters = { ...MEMBER_PARAMETERS, transactionLifetimeLimitSeconds: 5 };
  const replicaSet: SetInfo = {
    settings: { ...SET_SETTINGS, heartbeatTimeoutSecs: 10 },
    members: ["a", "b", "c"].map((name) => ({ name, parameters })),
  };
  const slow = { oplogNetworkTimeoutBufferSeconds: 5, oplogFetcherSteadyStateMaxFetcherRestarts: 1 };
  const healthy: ServerInfo = {
    version: "8.0.4",
    isCluster: false,
    isReplicaSet: true,
    members: ["a", "b", "c"].map((name, n) => ({
      name,
      state: n === 0 ? "PRIMARY" : "SECONDARY",
      isHealthy: true,
      lagSeconds: 0,
    })),
    set: replicaSet,
    skewMs: 12,
    diskUsed: 0.4,
    isOpen: false,
    usesTls: true,
    isLocal: false,
  };
  const [a, b, c] = healthy.members ?? [];

  test("passes for a healthy one", () => {
    expect(exitCodeOf(checkServer(healthy))).toBe(0);
  });

  const set = (settings: object) => ({
    set: { ...replicaSet, settings: { ...SET_SETTINGS, ...settings } },
  });
  const firstWith = (change: object | undefined) => {
    const first = { name: "a", parameters: change && { ...parameters, ...change } };
    return { set: { ...replicaSet, members: [...replicaSet.members.slice(1), first] } };
  };
  const lastWith = (change: object) => ({ members: [a, b, c && { ...c, ...change }] as never });
  test.each<[string, Partial<ServerInfo>]>([
    ["fail: version 5.0.9", { version: "5.0.9" }],
    ["fail: a single server without a replica set", { isReplicaSet: false }],
    ["fail: it answers anyone without a password", { isOpen: true }],
    ["warn: not encrypted", { usesTls: false }],
    ["warn: transactionLifetimeLimitSeconds of a is 60", firstWith({ transactionLifetimeLimitSeconds: 60 })],
    ["unknown: a cannot be asked for transactionLifetimeLimitSeconds from here", firstWith(undefined)],
    ["unknown: transactionLifetimeLimitSeconds cannot be read here", { set: undefined }],
    [
      "warn: heartbeatIntervalMillis is 2000: after the primary freezes, one write is committed in this time",
      set({ heartbeatIntervalMillis: 2_000 }),
    ],
    [
      "warn: electionTimeoutMillis is 10000: without a primary nothing is accepted for this long",
      set({ electionTimeoutMillis: 10_000 }),
    ],
    [
      "warn: oplogNetworkTimeoutBufferSeconds of a is 5: after the primary freezes, nothing is accepted",
      firstWith(slow),
    ],
    ["warn: oplogFetcherSteadyStateMaxFetcherRestarts of a is 1", firstWith(slow)],
    ["unknown: a cannot be asked for its parameters from here", firstWith(undefined)],
    [
      "unknown: its user may not read the set's settings: the role clusterMonitor is missing",
      { set: undefined },
    ],
    ["fail: this machine's clock is 7.0 s behind the database's", { skewMs: -7_000 }],
    ["warn: 85% full", { diskUsed: 0.85 }],
    ["fail: 97% full", { diskUsed: 0.97 }],
    ["warn: 1 of its members", { members: healthy.members?.slice(0, 1) }],
    ["fail: c is DOWN", lastWith({ isHealthy: false, state: "DOWN" })],
    ["warn: c is 99 s behind the primary", lastWith({ lagSeconds: 99 })],
    ["unknown: its user may not see the members", { members: undefined }],
    ["unknown: the shards' members", { isCluster: true, isReplicaSet: false, members: undefined }],
  ])("says %s", (expected, change) => {
    expect(tell(checkServer({ ...healthy, ...change }))).toContain(expected);
  });

  test("ignores failover settings for a replica set of one or two members", () => {
    const settings = { electionTimeoutMillis: 10_000, heartbeatIntervalMillis: 2_000 };
    const members = [{ name: "a", parameters: slow }];
    const one = { ...healthy, members: healthy.members?.slice(0, 1), set: { settings, members } };
    expect(tell(checkServer(one))).not.toMatch(/Millis|oplog/);
    // Also when only the settings are readable, not the members' states.
    expect(tell(checkServer({ ...one, members: undefined }))).not.toMatch(/Millis|oplog/);
    // The limit of transactions matters to them too.
    const limited = [{ name: "a", parameters: { transactionLifetimeLimitSeconds: 60 } }];
    expect(tell(checkServer({ ...one, set: { settings, members: limited } }))).toContain(
      "warn: transactionLifetimeLimitSeconds of a is 60",
    );
  });

  test("uses the user and options of the whole set for one member's address, and none that lead elsewhere", () => {
    expect(
      memberUri("mongodb://u:p@a:1,b:2/db?replicaSet=rs&authSource=admin&tls=true", "b:2", "admin"),
    ).toBe("mongodb://u:p@b:2/db?authSource=admin&tls=true&directConnection=true");
    expect(memberUri("mongodb://a:1/?readPreference=nearest", "a:1", undefined)).toBe(
      "mongodb://a:1/?directConnection=true",
    );
    // The SRV record's options are unknown to the members.
    expect(memberUri("mongodb+srv://u:p@example.com", "a.example.com:27017", "admin")).toBe(
      "mongodb://u:p@a.example.com:27017/?directConnection=true&tls=true&authSource=admin",
    );
  });

  test("reports its members, a majority, and each missing or different index", async () => {
    const { app, close } = await createTestApp();
    onTestFinished(close);
    const facts = await serverInfo(app.mongo, ASKED_PARAMETERS);
    expect(facts).toMatchObject({ isCluster: false, isReplicaSet: true, isLocal: true });
    expect(facts.usesTls).toBeFalsy();
    expect(facts.members?.map(({ state }) => state)).toEqual(["PRIMARY"]);
    expect(facts.set?.settings).toMatchObject({ heartbeatIntervalMillis: expect.any(Number) });
    expect(facts.set?.members).toEqual([
      {
        name: expect.stringContaining("127.0.0.1:"),
        parameters: {
          ok: 1,
          transactionLifetimeLimitSeconds: 5,
          oplogNetworkTimeoutBufferSeconds: 5,
          oplogFetcherSteadyStateMaxFetcherRestarts: 1,
        },
      },
    ]);
    expect(facts.diskUsed).toBeGreaterThan(0);
    await expect(askMajority(app.mongo.db)).resolves.toBeUndefined();
    expect(await findIndexFaults(app.mongo.db, ALL_COLLECTIONS)).toEqual([]);
    const { db } = app.mongo;
    await db.collection("accounts").dropIndex("turn");
    const others: [
      collection: string,
      key: Record<string, 1 | -1>,
      options: CreateIndexesOptions & { name: string },
    ][] = [
      [
        "account_emails",
        { reserved_until: 1 },
        { name: "reserved_until", partialFilterExpression: { reserved_until: WAITS } },
      ],
      ["account_events", { created_at: 1 }, { name: "created_at", expireAfterSeconds: 60 }],
      ["accounts", { due_at: 1 }, { name: "due" }],
      ["ledger", { account_id: 1, seq: -1 }, { name: "account_seq" }],
    ];
    for (const [collection, key, options] of others) {
      await db.collection(collection).dropIndex(options.name);
      await db.collection(collection).createIndex(key, options);
      // With any of them no core starts.
      const wanted = ALL_COLLECTIONS.filter(({ name }) => name === collection);
      await expect(ensureCollections(db, wanted)).rejects.toThrow(options.name);
    }
    expect(said(checkIndexes(await findIndexFaults(db, ALL_COLLECTIONS))).toSorted()).toEqual([
      ...others
        .map(
          ([collection, , { name }]) => `fail: ${name} of ${collection} is another one than the code wants`,
        )
        .toSorted(),
      "warn: accounts has no index turn",
    ]);
  });

  test("reports another schema version, older or newer", () => {
    expect(said([3, 4, 5, undefined].map((version) => checkSchemaVersion(version, 4)))).toEqual([
      "fail: version 3, needed 4",
      "pass: version 4",
      "fail: version 5, newer than this release knows (4)",
      "warn: there are no data yet",
    ]);
  });
});

describe("the checkup of settings", () => {
  const found = (env: Record<string, string>) => {
    const { config, problems } = checkConfig(env);
    return tell(checkSettings(config, problems));
  };

  test("reports all problems together, including what production refuses", () => {
    const text = found({
      NODE_ENV: "production",
      ATELIER_SECRET: "changemechangemechangemechangeme",
      ATELIER_BASE_URL: "http://atelier.example",
      ATELIER_HTTP_PORT: "many",
      ATELIER_S3_BUCKET: "files",
      ATELIER_RATE_LIMITS: "off",
    });
    for (const variable of ["SECRET", "BASE_URL", "HTTP_PORT", "S3_ENDPOINT", "RATE_LIMITS"])
      expect(text).toContain(`fail: ATELIER_${variable}: `);
    expect(text).not.toContain("changeme");
  });

  test.each([
    [{}, "warn: NODE_ENV is not production"],
    [{ ATELIER_ALLOW_INSECURE: "weak_secrets" }, "warn: ATELIER_ALLOW_INSECURE allows weak_secrets"],
    [{ ATELIER_SECRET_ACCEPTED: "x".repeat(40) }, "warn: ATELIER_SECRET_ACCEPTED has 1"],
    [{ ATELIER_SMTP_URL: "smtp://mail.example" }, "fail: the sender is an address of localhost"],
    [
      { ATELIER_SERVICE_KEY: "key", ATELIER_BASE_URL: "https://a.example" },
      "warn: TLS ends at a proxy whose X-Forwarded-For",
    ],
  ])("%j: %s", (env, expected) => {
    expect(found(env)).toContain(expected);
  });

  test("reports files that others can read or write", () => {
    const path = folder("secret");
    writeFileSync(path, "s");
    const files = new Map([["ATELIER_SECRET_FILE", path]]);
    chmodSync(path, 0o600);
    expect(said(checkSecretFiles(files))).toEqual(["pass: 1, for their owner alone"]);
    chmodSync(path, 0o644);
    // The folder is private.
    expect(exitCodeOf(checkSecretFiles(files))).toBe(0);
    chmodSync(folder(), 0o755);
    expect(said(checkSecretFiles(files))).toEqual([
      `warn: anyone on this machine may read ${path} (ATELIER_SECRET_FILE)`,
    ]);
    chmodSync(path, 0o666);
    expect(tell(checkSecretFiles(files))).toContain("fail: others may write");
  });
});

describe("the checkup of certificates", () => {
  const pem = (name: string) => folder(`${name}.pem`);
  const make = (name: string, ...more: string[]) =>
    execFileSync(
      "openssl",
      [
        ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj".split(" "),
        `/CN=${name}`,
        "-keyout",
        pem(`${name}-key`),
        "-out",
        pem(name),
        ...more,
      ],
      { stdio: "ignore" },
    );
  beforeAll(() => {
    make("ca");
    make("other");
    make("core", "-addext", "subjectAltName=DNS:core", "-CA", pem("ca"), "-CAkey", pem("ca-key"));
  });
  const look = (env: Record<string, string>) => tell(checkCertificates(loadConfig(env), new Date()));
  const good = () => ({
    ATELIER_GRPC_TLS_CERT: pem("core"),
    ATELIER_GRPC_TLS_KEY: pem("core-key"),
    ATELIER_CORE_TLS_CA: pem("ca"),
    ATELIER_CORE_TLS_NAME: "core",
  });

  test("passes for a certificate, key and authority that match", () => {
    expect(look(good())).toMatch(/^(pass: good until [\d-]+\n?){2}$/);
    expect(look({})).toBe("");
  });

  test("reports another name, key or authority, and unreadable files", () => {
    expect(look({ ...good(), ATELIER_CORE_TLS_NAME: "db" })).toContain("fail: is not for the name db");
    expect(look({ ...good(), ATELIER_GRPC_TLS_KEY: pem("ca-key") })).toContain(
      "fail: the key of ATELIER_GRPC_TLS_KEY is not its key",
    );
    expect(look({ ...good(), ATELIER_CORE_TLS_CA: pem("other") })).toContain(
      "fail: no authority of ATELIER_CORE_TLS_CA has signed it",
    );
    expect(look({ ...good(), ATELIER_GRPC_TLS_CERT: pem("none") })).toContain("fail: cannot be used: ENOENT");
  });

  test("reports one that ends soon, has ended, or is not valid yet", () => {
    const times = (from: number, to: number) =>
      checkTime(
        "one",
        {
          validFromDate: new Date(NOW.getTime() + from * DAY_MS),
          validToDate: new Date(NOW.getTime() + to * DAY_MS),
        },
        NOW,
      );
    expect([times(-1, 90), times(-1, 5), times(-9, -1), times(1, 90)].map(({ verdict }) => verdict)).toEqual([
      "pass",
      "warn",
      "fail",
      "fail",
    ]);
  });

  test("parses gRPC targets", () => {
    expect(hostAndPort("dns:///core.internal:50051")).toEqual({ host: "core.internal", port: 50_051 });
    expect(hostAndPort("ipv4:10.0.0.1:1,10.0.0.2:2")).toEqual({ host: "10.0.0.1", port: 1 });
    expect(hostAndPort("unix:/run/core.sock")).toBeUndefined();
  });
});

describe("the checkup of dependencies", () => {
  test("writes, reads and deletes an object, and reports a public or refusing bucket", async () => {
    const s3 = await startS3Server();
    expect(tell(await checkStorage(loadConfig(s3.env), signal))).toContain("pass: an object was put");
    expect(s3.objects.size).toBe(0);
    await expect(
      checkStorage(loadConfig({ ...s3.env, ATELIER_S3_SECRET_ACCESS_KEY: "another" }), signal),
    ).rejects.toThrow("403");
    expect(tell(await checkStorage(loadConfig(await publicStore(s3.env)), signal))).toContain(
      "fail: anyone may read",
    );
    expect(tell(await checkStorage(loadConfig({}), signal))).toContain("kept in the database");
  });

  /** An object store with a single object and no authentication. */
  async function publicStore(env: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    let kept = Buffer.alloc(0);
    const url = await serve(async (request, response) => {
      if (request.method === "PUT") {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        kept = Buffer.concat(chunks);
        response.end();
      } else if (request.method === "GET") {
        response.writeHead(request.headers.range ? 206 : 200).end(kept);
      } else response.writeHead(204).end();
    });
    return { ...env, ATELIER_S3_ENDPOINT: url };
  }

  test("connects to the mail server without sending, and reports a missing or silent one", async () => {
    const mail = await startMailServer();
    onTestFinished(() => mail.close());
    expect(tell(await checkMail(loadConfig({ ATELIER_SMTP_URL: mail.url })))).toContain(
      "pass: the server takes",
    );
    expect(mail.received).toEqual([]);
    expect(tell(await checkMail(loadConfig({})))).toContain("warn: there is no mail server");
    await expect(checkMail(loadConfig({ ATELIER_SMTP_URL: "smtp://127.0.0.1:1" }))).rejects.toThrow(
      "ECONNREFUSED",
    );
  });

  test("connects to Redis, and reports one without a password, one that refuses when full, and one that is away", async () => {
    const url = (port: number) => `redis://:a-long-password@127.0.0.1:${port}/0`;
    const { port } = await startOwnRedis({ password: "a-long-password" });
    expect(tell(await checkRedis(loadConfig({ ATELIER_REDIS_URL: url(port) })))).toMatch(/^pass: version \d/);
    await expect(
      checkRedis(loadConfig({ ATELIER_REDIS_URL: `redis://:wrong@127.0.0.1:${port}` })),
    ).rejects.toThrow("WRONGPASS");
    const open = await startOwnRedis({ maxMemoryBytes: 50_000_000 });
    const found = tell(await checkRedis(loadConfig({ ATELIER_REDIS_URL: open.url })));
    expect(found).toContain("warn: it requires no password");
    expect(found).toContain("warn: it refuses to count when its memory is full");
    await expect(checkRedis(loadConfig({ ATELIER_REDIS_URL: url(1) }))).rejects.toThrow("ECONNREFUSED");
  });

  test("connects to providers, and says what that does not prove", async () => {
    const entry = (address: string) =>
      ({ ...loadConfig({}), httpQueueProviders: { fal: { address } } }) as never;
    expect(tell(await checkProviders(entry(await serve(() => {}))))).toContain(
      "unknown: can be reached; its key cannot",
    );
    expect(tell(await checkProviders(entry("http://127.0.0.1:1")))).toContain("fail: cannot be reached");
  });

  test("checks the Stripe key and webhook, and reports an unknown key and a missing or stopped webhook", async () => {
    let data: object[] = [];
    let status = 200;
    const api = await serve((_request, response) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(
        JSON.stringify(
          status === 200
            ? { object: "list", data }
            : { error: { type: "invalid_request_error", message: "no" } },
        ),
      );
    });
    const look = () =>
      checkPayments(
        loadConfig({
          ATELIER_PAYMENTS: "stripe",
          ATELIER_STRIPE_SECRET_KEY: "sk_test_1",
          ATELIER_STRIPE_WEBHOOK_SECRET: "whsec_1",
          ATELIER_STRIPE_API_BASE: api,
          ATELIER_BASE_URL: "https://atelier.example",
        }),
      );
    expect(tell(await look())).toContain(
      "fail: Stripe does not send events to https://atelier.example/webhooks/payments/stripe",
    );
    const url = "https://atelier.example/webhooks/payments/stripe";
    data = [{ url, status: "disabled" }];
    expect(tell(await look())).toContain("fail: Stripe has stopped");
    data = [{ url, status: "enabled" }];
    expect(tell(await look())).toContain("pass: Stripe knows the key");
    status = 403;
    expect(tell(await look())).toContain("unknown: Stripe knows the key, which may not list webhooks");
    status = 401;
    await expect(look()).rejects.toThrow("no");
  });
});

describe("the checkup from outside", () => {
  test("finds this service at the public URL, and reports another service, an error and silence", async () => {
    let page = "";
    let status = 200;
    const base = await serve((_request, response) => response.writeHead(status).end(page));
    const look = () => checkPublicAddress(loadConfig({ ATELIER_BASE_URL: base }), NOW);
    page = `see ${base}/docs`;
    expect(tell(await look())).toBe("pass: answers");
    page = "welcome to nginx";
    expect(tell(await look())).toContain("fail: another service");
    status = 502;
    expect(tell(await look())).toContain("fail: /llms.txt is answered 502");
    const away = loadConfig({ ATELIER_BASE_URL: "http://127.0.0.1:1" });
    await expect(checkPublicAddress(away, NOW)).rejects.toThrow("ECONNREFUSED");
  });

  test("reports an operations port that everyone reaches", async () => {
    const ops = new URL(await serve((_request, response) => response.end("ok")));
    const env = { ATELIER_BASE_URL: "http://127.0.0.1", ATELIER_OPS_PORT: ops.port };
    expect(tell(await checkOpsPort(loadConfig(env)))).toContain("fail: everybody who reaches 127.0.0.1");
    expect(tell(await checkOpsPort(loadConfig({ ...env, ATELIER_OPS_PORT: "1" })))).toContain("pass:");
  });

  test("reports a core that is away, and passes for one that is running", async () => {
    const { host } = new URL(await serve(() => {}));
    expect(tell(await checkCore(loadConfig({ ATELIER_CORE_ADDRESS: host }), NOW))).toContain(
      "pass: takes connections",
    );
    await expect(checkCore(loadConfig({ ATELIER_CORE_ADDRESS: "127.0.0.1:1" }), NOW)).rejects.toThrow(
      "ECONNREFUSED",
    );
  });
});

describe("a checkup", () => {
  test("ends by its deadline, continues after an error, keeps the order, and prints no secret", async () => {
    const check = (about: string, run: () => Promise<Finding[]>) => ({ about, run, fix: `fix ${about}` });
    const findings = await runChecks(
      [
        check("slow", () => new Promise(() => {})),
        check("broken", () =>
          Promise.reject(new Error("refused hunter2-hunter2", { cause: new Error("by nobody") })),
        ),
        check("good", async () => [pass("good", "as it should be")]),
      ],
      { boundMs: 50, secrets: ["hunter2-hunter2"] },
    );
    expect(findings).toEqual([
      fail("slow", "there was no answer within 0 s", "fix slow"),
      fail("broken", "refused …: by nobody", "fix broken"),
      pass("good", "as it should be"),
    ]);
  });

  test("recognizes secret values in any setting", () => {
    const config = loadConfig({
      ATELIER_SECRET: "s".repeat(40),
      ATELIER_SECRET_ACCEPTED: "t".repeat(40),
      MONGODB_URI: "mongodb://user:p%40ssword@a,b,c/?replicaSet=x",
      ATELIER_ALLOW_DEV: "1",
      ATELIER_REDIS_URL: "redis://:redis-password@r/0",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20of-the-collector,x-tenant=a",
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://me:collector-password@collector.example",
      ATELIER_AI_SDK_PROVIDERS: '{"openai":{"package":"p","export":"e","options":{"apiKey":"sk-of-openai"}}}',
    });
    expect(new Set(secretsOf(config))).toEqual(
      new Set([
        "s".repeat(40),
        "t".repeat(40),
        "p%40ssword",
        "p@ssword",
        "redis-password",
        "sk-of-openai",
        "Bearer of-the-collector",
        "collector-password",
      ]),
    );
  });
});

test("the command checks everything with core's settings, prints JSON, and exits with 2 on a failure", async () => {
  const { database, close } = await createTestApp();
  onTestFinished(close);
  const secret = "kP3v9Zq1Xw7Lm5Rt8Yb2Nc6Hd4Jf0Gs5";
  const { ended, stdout, stderr } = startEntry(
    "core/entry/doctor.ts",
    {
      MONGODB_URI: database.uri,
      ATELIER_MONGO_DATABASE: database.name,
      ATELIER_SECRET: secret,
      ATELIER_REDIS_URL: `redis://:${secret}@127.0.0.1:1`,
    },
    { args: ["--json"] },
  );
  expect(await ended, stderr()).toBe(2);
  const told = JSON.parse(stdout()) as { ok: boolean; findings: Finding[] };
  expect(told.ok).toBe(false);
  expect(told.findings.filter(({ verdict }) => verdict === "fail").map(({ about }) => about)).toContain(
    "Redis",
  );
  expect(tell(told.findings)).toContain("pass: a majority of the members answers");
  expect(tell(told.findings)).toContain("pass: as the code wants them");
  expect(stdout() + stderr()).not.toContain(secret);
});

test("the guide describes every check", () => {
  const guide = readFileSync(new URL("../../../docs/operations/doctor.md", import.meta.url), "utf8");
  const entry = readFileSync(new URL("../../../core/entry/doctor.ts", import.meta.url), "utf8");
  for (const [, about = ""] of entry.matchAll(/about: "([^"]+)"/g))
    expect(guide).toContain(`- **${about}**:`);
});
