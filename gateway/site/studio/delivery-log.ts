// Deliveries of a job's callback with their attempts, and delivering it again.
import type { DeliveryResource } from "../../../proto/resources/callback.ts";
import type { JobResource } from "../../../proto/resources/job.ts";
import { actionForm } from "../account/account-frame.ts";
import { attemptWords, deliveryBadge } from "../account/delivery-badge.ts";
import { type Markup, html } from "../design/markup.js";
import { table } from "../design/table.ts";
import { timeOf } from "../design/time.ts";
import type { Person } from "../session/current-person.ts";
import { isLive } from "./job-words.ts";
import { jobPath } from "./paths.ts";

export function deliveryLog({
  job,
  callback,
  deliveries,
  person,
}: {
  job: JobResource;
  callback: NonNullable<JobResource["callback"]>;
  deliveries: readonly DeliveryResource[];
  person: Person;
}): Markup {
  return html`<section class="stack" id="callback" aria-labelledby="callback-heading">
    <h2 id="callback-heading">Webhook</h2>
    <p>To <code>${callback.url}</code></p>
    ${
      deliveries.length > 0
        ? table({
            caption: "Every delivery with its attempts",
            columns: ["Event", "Made", "State", "Attempts"],
            rows: deliveries.map((delivery) => [
              delivery.event,
              timeOf(delivery.created_at),
              deliveryBadge(delivery.status),
              attempts(delivery),
            ]),
          })
        : html`<p class="note">It is sent when the job has ended.</p>`
    }
    ${
      !isLive(job) &&
      actionForm(person, { action: `${jobPath(job.job_id)}/redeliver`, label: "Resend", id: "redeliver" })
    }
  </section>`;
}

function attempts({ attempts: made, next_attempt_at }: DeliveryResource): Markup {
  return html`<ul class="stack stack--tight">
    ${made.map((attempt) => html`<li>${attempt.number}. ${attemptWords(attempt)}, ${timeOf(attempt.at)}</li>`)}
    ${next_attempt_at !== null && html`<li>Next: ${timeOf(next_attempt_at)}</li>`}
  </ul>`;
}
