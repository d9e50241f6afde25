// The rotation of ATELIER_SECRET, with which addresses of outputs and sessions are signed.
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { waitFor } from "../../../test/support/wait-for.ts";
import { Atelier } from "../../../clients/js/src/index.ts";
import type { Customer } from "../clients.ts";
import type { Cluster } from "../cluster.ts";
import { signIn } from "../customers.ts";
import { loadCode } from "../release.ts";
import { restartInTurn, type Say } from "../restart.ts";
import { withApp } from "../with-app.ts";
import { expectSame, secretOf } from "./secret-file.ts";

const HOLDERS = ["gateway", "mcp", "core", "worker"];
const JOB_BOUND_MS = 60_000;

export async function rotateSecret(
  cluster: Cluster,
  say: Say,
  customers: readonly Customer[],
): Promise<void> {
  const path = secretOf(cluster, "atelier-secret");
  const old = readFileSync(path, "utf8");
  const next = randomBytes(48).toString("base64");
  const address = await makeOutput(cluster, customers);
  const cookies = customers.map(({ cookie }) => cookie);
  const expectOpen = async () => {
    for (const status of [await statusOf(address), await pageOf(cluster, cookies[0])])
      expectSame(status, 200, "what the old secret signed");
  };

  setAccepted(cluster, next);
  await restartInTurn(cluster, HOLDERS, say);
  await expectOpen();
  say("1. the new secret is accepted everywhere; an output's address and a session of before open");

  writeFileSync(path, next);
  setAccepted(cluster, old);
  await restartInTurn(cluster, HOLDERS, say);
  await expectOpen();
  say("2. everybody signs with the new secret; the address and the session of before open");

  // A month passes, in which people sign in again.
  await signInAgain(cluster, customers);
  setAccepted(cluster, undefined);
  await restartInTurn(cluster, HOLDERS, say);
  expectSame(await statusOf(address), 404, "an address that the old secret signed");
  expectSame(await pageOf(cluster, cookies[0]), 303, "a page for a session of the old secret");
  say("3. the old secret is dropped; its address is answered 404, its session is sent to sign in");
}

/** As a line in deploy/.env: every process of ours gets it. */
function setAccepted(cluster: Cluster, secret: string | undefined): void {
  for (const member of HOLDERS.flatMap((service) => cluster.of(service))) {
    const { ATELIER_SECRET_ACCEPTED: _, ...env } = member.part.env;
    const accepted = secret === undefined ? {} : { ATELIER_SECRET_ACCEPTED: secret };
    member.part = { ...member.part, env: { ...env, ...accepted } };
  }
}

/** The signed address of a file that a job of the load made. */
async function makeOutput({ url }: Cluster, [customer]: readonly Customer[]): Promise<string> {
  const client = new Atelier({ baseUrl: url, apiKey: customer?.generationKey });
  return waitFor(
    "an output",
    async () => {
      for await (const { outputs } of client.jobs({ state: "completed" })) return outputs[0]?.url;
    },
    JOB_BOUND_MS,
  );
}

async function statusOf(address: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(address, { redirect: "manual", headers });
  await answer.body?.cancel();
  return answer.status;
}

/** Of one that only a person who has signed in sees. */
function pageOf({ url }: Cluster, cookie = ""): Promise<number> {
  return statusOf(`${url}/jobs`, { cookie, accept: "text/html", "sec-fetch-site": "none" });
}

async function signInAgain(cluster: Cluster, customers: readonly Customer[]): Promise<void> {
  const code = await loadCode();
  await withApp(cluster, async ({ app }) => {
    for (const customer of customers) customer.cookie = await signIn(app, cluster.url, customer.email, code);
  });
}
