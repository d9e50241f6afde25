// The webhooks page: the delivery log and the form for a test event, by plain requests.
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { answerWith, receiver } from "../core/studio/webhooks/receiver.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";
import { sendForm } from "./support/forms.ts";
import { signInAs } from "./support/sign-in.ts";

const service = sharedByTests(() => startWholeService());
const ada = sharedByTests(() => signInAs(service, "ada@example.com"));

test("[DLV-02] a person sends a test event on the webhooks page, and sees its delivery there", async () => {
  expect((await ada.call("/account/callbacks")).text).toContain("Nothing was delivered yet.");
  const [good, bad] = [await receiver(), await receiver(answerWith(500))];
  const sent = await sendForm(ada, "/account/callbacks/test", { callback_url: good.url });
  expect([sent.status, good.received.length]).toEqual([200, 1]);
  expect(sent.text).toMatch(/The endpoint accepted it.*Status 204 in \d+ ms/s);
  const failed = await sendForm(ada, "/account/callbacks/test", { callback_url: bad.url });
  expect(failed.text).toMatch(/It was not delivered.*Status 500 in \d+ ms/s);
  const { text } = await ada.call("/account/callbacks?status=failed");
  expect(text).toContain(bad.url);
  expect(text).not.toContain(`<code>${good.url}`);
  expect(text).toMatch(/studio[^"]*\.css.*<form class="filters" method="get" action="\/account\/callbacks"/s);
});

test("a refused or invalid URL is reported at the form", async () => {
  const refused = await sendForm(ada, "/account/callbacks/test", { callback_url: "https://10.0.0.1/" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("is not an address on the public internet");
  expect(refused.text).toContain('value="https://10.0.0.1/"');
  expect((await sendForm(ada, "/account/callbacks/test", { callback_url: "nowhere" })).status).toBe(400);
});

test("[EVT-02] an endpoint is added, tried, renewed and removed on the page; its secret is shown once", async () => {
  const { url, received } = await receiver();
  const post = (path: string, fields: Record<string, string> = {}) => sendForm(ada, path, fields);
  const refused = await post("/account/callbacks/endpoints", { url: "https://10.0.0.1/", events: "job.*" });
  expect([refused.status, refused.text.includes('value="https://10.0.0.1/"')]).toEqual([422, true]);
  const added = await post("/account/callbacks/endpoints", { url, events: "order.*" });
  const [secret = "none"] = /whsec_[\w+/=]+/.exec(added.text) ?? [];
  expect(added.status).toBe(201);
  const { text } = await ada.call("/account/callbacks");
  expect([text.includes(url), text.includes(secret)]).toEqual([true, false]);
  const offered = [...text.matchAll(/name="events" value="(\w+)\./g)].map(([, kind]) => kind);
  expect(offered, "the events of each kind stand together").toEqual(
    [...new Set(offered)].flatMap((kind) => offered.filter((other) => other === kind)),
  );
  const [path = "none"] = /\/account\/callbacks\/endpoints\/whe_\w+/.exec(text) ?? [];
  expect((await post(`${path}/test`)).text).toContain("The endpoint accepted it");
  const [message] = received;
  expect(new Webhook(secret).verify(message?.body ?? "", message?.headers ?? {})).toMatchObject({
    event: "test",
  });
  expect((await post(`${path}/rotate`)).text).toMatch(/whsec_/);
  expect((await post(`${path}/remove`)).status).toBe(303);
  expect((await ada.call("/account/callbacks")).text).not.toContain(path);
  expect((await post(`${path}/enable`)).status).toBe(404);
});
