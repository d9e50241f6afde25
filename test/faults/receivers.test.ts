// Slow, dead and redirecting webhook endpoints on the whole service: they delay no other work, and no redirect is followed.
import { expect, test } from "vitest";
import type { DeliveryResource } from "../../proto/resources/callback.ts";
import { type Answer, answerWith, receiver } from "../core/studio/webhooks/receiver.ts";
import { createCustomer } from "../support/app.ts";
import { sharedByTests } from "../support/shared.ts";
import { expectPrompt } from "../support/thorough.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

const PROMPT_SECONDS = 5;

const service = sharedByTests(() => startWholeService());

test("[CALL-08] slow, dead, failing and redirecting endpoints delay no job and no other delivery", async () => {
  const inside = await receiver();
  const never: Answer = () => {};
  const trouble = await Promise.all([
    ...Array.from({ length: 6 }, () => receiver(never)),
    receiver((response) => setTimeout(() => response.writeHead(204).end(), 8_000).unref()),
    receiver(answerWith(500)),
    receiver(answerWith(302, { location: inside.url })),
    receiver(answerWith(308, { location: inside.url })),
  ]);
  const dead = await receiver();
  await dead.close();
  const noisy = await createCustomer(service.app, { plan: "studio", credits: 10_000 });
  const quiet = await createCustomer(service.app, { plan: "studio", credits: 10_000 });
  const urls = [...trouble, dead].map(({ url }) => url);
  const made = await Promise.all(
    Array.from({ length: 110 }, (_, i) =>
      service.generate(noisy.key, { callback_url: urls[i % urls.length] }),
    ),
  );
  await waitFor("the troubled receivers to be busy", () =>
    trouble.every(({ received }) => received.length > 0),
  );

  const healthy = await receiver();
  const from = performance.now();
  const job = await service.make(quiet.key, { callback_url: healthy.url });
  await waitFor("the healthy receiver to be called", () => healthy.received.length === 1);
  const seconds = (performance.now() - from) / 1000;
  console.log(
    `a job and its callback took ${seconds.toFixed(2)} s beside 110 jobs with receivers in trouble`,
  );
  expect(job.state).toBe("completed");
  expectPrompt(seconds, PROMPT_SECONDS);

  // The faulty endpoints' own jobs have ended long ago, and their logs say what happened.
  const ends = await Promise.all(made.map(({ body }) => service.waitForEnd(noisy.key, body.result.job_id)));
  expect(ends.every(({ state }) => state === "completed")).toBe(true);
  const redirected = made[urls.indexOf(trouble[8]?.url ?? "")]?.body.result.job_id ?? "";
  const attempts = await waitFor("the redirect to be in the log", async () => {
    const { data } = await service.read<{ data: DeliveryResource[] }>(
      `/api/jobs/${redirected}/callbacks`,
      noisy.key,
    );
    return data[0]?.attempts;
  });
  expect(attempts[0]).toMatchObject({
    number: 1,
    http_status: 302,
    error: "HTTP 302: redirects are not followed",
  });
  expect(inside.connections()).toBe(0);
  expect(service.errors).toEqual([]);
});
