// Another user of the same machine can read nothing of the data folder or the database.
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../runtime/process/free-port.ts";
import { closeDataFolder } from "../../runtime/process/private-folder.ts";
import { type ServiceProcess, startService } from "../../scripts/testbed/processes.ts";
import { useFolder } from "../support/shared.ts";

const run = promisify(execFile);
const DRIVER = pathToFileURL(
  fileURLToPath(new URL("../../node_modules/mongodb/lib/index.js", import.meta.url)),
).href;

const folder = useFolder();
let dataDir: string;
let service: ServiceProcess;
let mongoPort: number;

/** The files of an older release, readable by everyone on the machine. */
beforeAll(async () => {
  chmodSync(folder(), 0o755);
  dataDir = folder("data");
  mkdirSync(dataDir, { mode: 0o755 });
  writeFileSync(join(dataDir, "mongod.log"), "", { mode: 0o644 });
  for (const open of [dataDir, join(dataDir, "mongod.log")])
    chmodSync(open, statSync(open).isDirectory() ? 0o755 : 0o644);
  mongoPort = await freePort();
  service = await startService({
    ATELIER_DATA_DIR: dataDir,
    ATELIER_MONGO_PORT: String(mongoPort),
    ATELIER_DEMO_PRODUCTS: "5",
  });
});

afterAll(() => service.stop());

test("the data folder and its files are private to their owner, also when they were open before", () => {
  expect(statSync(dataDir).mode & 0o077).toBe(0);
  const entries = readdirSync(dataDir, { recursive: true, encoding: "utf8" });
  for (const name of ["mongod.log", "mongo.key", "mongo.uri", "demo.json", "secret", "mongo"])
    expect(entries).toContain(name);
  for (const entry of entries) {
    const path = join(dataDir, entry);
    expect(
      [entry, statSync(path, { throwIfNoEntry: false })?.mode ?? 0].map((v) =>
        typeof v === "number" ? v & 0o077 : v,
      ),
    ).toEqual([entry, 0]);
  }
});

test("an open folder is made private when it holds only the service's files", () => {
  const open = folder("open");
  mkdirSync(open);
  chmodSync(open, 0o755);
  for (const name of [
    "content-credentials.pem",
    "content-credentials-2027-10-01.pem",
    "atelier.log",
    "atelier.log.1",
    "compiled",
    "demo.json",
    "secret",
  ])
    writeFileSync(join(open, name), "");
  closeDataFolder(open);
  expect(statSync(open).mode & 0o777).toBe(0o700);
});

test("an open folder with other files is unchanged", () => {
  const shared = folder("shared");
  mkdirSync(shared);
  chmodSync(shared, 0o755);
  writeFileSync(join(shared, "letters.txt"), "");
  expect(() => closeDataFolder(shared)).toThrow(
    `The data folder ${shared} is open to other users and holds letters.txt, which is not ours. ` +
      "Set ATELIER_DATA_DIR to a folder of its own, or close it with chmod 700.",
  );
  expect(statSync(shared).mode & 0o777).toBe(0o755);
});

// Only root can become another user.
describe.skipIf(process.getuid?.() !== 0)("another local user", () => {
  const asNobody = (...command: string[]) =>
    run("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", ...command], {
      cwd: "/",
      timeout: 60_000,
    });

  test("cannot read any file of the data folder", async () => {
    // The user's identity works: an open file can be read.
    await asNobody("ls", folder());
    await expect(asNobody("ls", dataDir)).rejects.toThrow("Permission denied");
    for (const name of readdirSync(dataDir))
      await expect(asNobody("cat", join(dataDir, name))).rejects.toThrow("Permission denied");
  });

  test("can reach the database and not open it", async () => {
    const script = `
      const { MongoClient } = await import(${JSON.stringify(DRIVER)});
      const client = new MongoClient("mongodb://127.0.0.1:${mongoPort}/?directConnection=true");
      const tell = (promise) => promise.then(() => "let in", (error) => error.codeName);
      console.log(JSON.stringify([
        (await client.db("admin").command({ hello: 1 })).setName,
        await tell(client.db("atelier").collection("accounts").findOne()),
        await tell(client.db("atelier").collection("sign_in_links").insertOne({})),
        await tell(client.db("admin").command({ createUser: "eve", pwd: "eve", roles: ["root"] })),
      ]));
      await client.close();`;
    const { stdout } = await asNobody(process.execPath, "--input-type=module", "--eval", script);
    expect(JSON.parse(stdout)).toEqual(["atelier", "Unauthorized", "Unauthorized", "Unauthorized"]);
  });
});
