// Data that the installation's secret signed or sealed stay valid through each step of its rotation, in processes a step ahead or behind
// too, and are invalid once the old secret is gone.
import { expect, test } from "vitest";
import { demoHeaders, readDemoEvent } from "../../core/adapters/payments/rules.ts";
import { signInfo, signOutputUrl, verifySignedAccess } from "../../core/kernel/outputs/sign.ts";
import { seal, unseal } from "../../core/operations/tickets/seal.ts";
import { verifyFileAccess } from "../../core/shop/library/sign.ts";
import { signInputUrl, verifyInputAccess } from "../../core/studio/jobs/input-url.ts";
import { isWebhookAddress, webhookAddress } from "../../core/studio/runs/webhook-address.ts";
import { signUploadUrl, verifyUploadAccess } from "../../core/studio/uploads/sign.ts";
import { Form } from "../../gateway/site/session/forms.ts";
import { createKeptForms } from "../../gateway/site/session/kept-form.ts";
import { createSessionCookies } from "../../gateway/site/session/session-cookie.ts";
import { systemClock } from "../../runtime/clock.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { deriveKeys, loadSecrets, type Secrets } from "../../runtime/keys/secret.ts";

const [OLD, NEW] = ["kP3v9Zq1Xw7Lm5Rt8Yb2Nc6Hd4Jf0Gs5", "Qe8mT2uJ6cVb0Lx4Wf9Zr1Ns7Hy3Dk5G"];
const [accountId, jobId] = ["acc_1", "job_1"];

/** Read as a process does from its environment. */
const read = (env: Record<string, string>): Secrets => loadSecrets(loadConfig(env));
const STEPS = [
  read({ ATELIER_SECRET: OLD }),
  read({ ATELIER_SECRET: OLD, ATELIER_SECRET_ACCEPTED: NEW }),
  read({ ATELIER_SECRET: NEW, ATELIER_SECRET_ACCEPTED: `${OLD}\n` }),
  read({ ATELIER_SECRET: NEW }),
];

const appWith = (secrets: Secrets) => ({
  secrets,
  clock: systemClock,
  config: loadConfig({}),
  generationBaseUrl: "https://atelier.example",
});
const inAnHour = () => new Date(Date.now() + 3_600_000);
const fieldsOf = (url: string) => {
  const { searchParams } = new URL(url);
  const get = (name: string) => searchParams.get(name) ?? "";
  return { account: get("account"), expires: Number(get("expires")), signature: get("signature") };
};
const throws = (read: () => unknown): boolean => {
  try {
    read();
    return false;
  } catch {
    return true;
  }
};

/** Each creates something with its secrets, and returns who accepts it. */
type Made = (by: Secrets) => Promise<(reader: Secrets) => boolean | Promise<boolean>>;
const MADE: Record<string, Made> = {
  "URL of an output": async (by) => {
    const expiresAt = new Date(Date.now() + 30 * 86_400_000);
    const url = signOutputUrl(appWith(by), {
      accountId,
      jobId,
      outputId: "out_1",
      expiresAt,
      now: new Date(),
    });
    const access = { jobId, outputId: "out_1", ...fieldsOf(url) };
    return (reader) => !throws(() => verifySignedAccess(appWith(reader), access));
  },
  "URL of an input": async (by) => {
    const job = { _id: jobId, account_id: accountId, run_timeout_ms: 60_000 };
    const access = { jobId, param: "image_url", ...fieldsOf(signInputUrl(appWith(by), job, "image_url")) };
    return (reader) => !throws(() => verifyInputAccess(appWith(reader), access));
  },
  "upload URL": async (by) => {
    const upload = { _id: "upl_1", account_id: accountId, expires_at: inAnHour() } as never;
    const access = { uploadId: "upl_1", ...fieldsOf(signUploadUrl(appWith(by), upload)) };
    return (reader) => !throws(() => verifyUploadAccess(appWith(reader), access));
  },
  "link to a product's file": async (by) => {
    const expires = Math.floor(inAnHour().getTime() / 1000);
    const signature = signInfo(by, ["atelier product file v1", accountId, "fil_1", expires]);
    const access = { fileId: "fil_1", account: accountId, expires, signature };
    return (reader) => !throws(() => verifyFileAccess(appWith(reader), access));
  },
  "URL for a provider's webhook": async (by) => {
    const call = { provider: "fal", accountId, jobId };
    const { signature } = fieldsOf(webhookAddress(appWith(by), call) ?? "");
    return (reader) => isWebhookAddress(appWith(reader), call, signature);
  },
  "key on a ticket": async (by) => {
    const sealed = seal(by, "tkt_1", "a key");
    return (reader) => unseal(reader, "tkt_1", sealed) === "a key";
  },
  "event of the demo payments": async (by) => {
    const body = JSON.stringify({ id: "evt_1", at: new Date() });
    const headers = demoHeaders(body, by, new Date());
    return (reader) =>
      !throws(() => readDemoEvent(Buffer.from(body), headers, { secrets: reader, now: new Date() }));
  },
  session: async (by) => {
    const cookie = (await createSessionCookies(by, false, 30).issue({ accountId, sessionId: "ses_1" })).split(
      ";",
    )[0];
    return async (reader) =>
      (await createSessionCookies(reader, false, 30).read(cookie))?.sessionId === "ses_1";
  },
  "token of a form": async (by) => {
    const token = createSessionCookies(by, false, 30).csrfToken("ses_1");
    return (reader) => createSessionCookies(reader, false, 30).isCsrfToken("ses_1", token);
  },
  "kept form": async (by) => {
    const forms = (secrets: Secrets) => createKeptForms(deriveKeys(secrets, "atelier kept form"), false);
    const cookies: string[] = [];
    const reply = { header: (_name: string, value: string) => cookies.push(value) } as never;
    forms(by).keep({ body: new Form("subject=d") } as never, reply, { path: "/support/new", account: null });
    const cookie = cookies.map((each) => each.split(";")[0]).join("; ");
    const asked = { url: "/support/new", headers: { cookie }, person: { accountId } } as never;
    const ignored = { header: () => {} } as never;
    return (reader) => forms(reader).take(asked, ignored)?.get("subject") === "d";
  },
};

test.each(Object.entries(MADE))(
  "a rotation loses no %s, and invalidates signatures of the old secret at its end",
  async (_what, make) => {
    const good = await Promise.all(STEPS.map(make));
    const table = await Promise.all(good.map((isGood) => Promise.all(STEPS.map(isGood))));
    // Created at the row's step, read at the column's. Neighbouring steps run in parallel during a rolling restart.
    expect(table).toEqual([
      [true, true, true, false],
      [true, true, true, false],
      [false, true, true, true],
      [false, true, true, true],
    ]);
  },
);

test("each further secret is printed on its own line, as long as the first", () => {
  expect(
    read({
      ATELIER_SECRET: OLD,
      ATELIER_SECRET_ACCEPTED: `${NEW}\r\na secret, with commas, spaces and more\n`,
    }),
  ).toEqual([OLD, NEW, "a secret, with commas, spaces and more"]);
  expect(() => loadConfig({ ATELIER_SECRET_ACCEPTED: `${NEW},short\nshort` })).toThrow(
    "ATELIER_SECRET_ACCEPTED: each line must be a secret of at least 32 characters",
  );
});
