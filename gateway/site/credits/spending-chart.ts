// Spending of recent days as bars, with a table that contains the same figures.
import type { Spending } from "../../../proto/types/atelier/v1/Spending.ts";
import { count, credits, date } from "../design/format.ts";
import { type Markup, html } from "../design/markup.js";
import { table } from "../design/table.ts";
import type { ModelName } from "../studio/model-names.ts";

export type SpendingView = {
  spending: readonly Spending[];
  since: string;
  days: number;
  complete: boolean;
  modelName: ModelName;
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** The size of the drawing, which is stretched to the available space. */
const HEIGHT = 100;
const BAR = 10;
const GAP = 2;

export function spendingChart({ spending, since, days, complete, modelName }: SpendingView): Markup {
  const total = sum(spending);
  const heading = html`<h2 id="spending-heading">Spent in the last ${days} days</h2>`;
  if (total === 0) {
    return html`<section class="card stack" aria-labelledby="spending-heading">
      ${heading}
      <p class="note">Nothing. What jobs cost is shown here by day and by model.</p>
    </section>`;
  }
  const byDay = dayTotals(spending, since, days);
  return html`<section class="card stack" aria-labelledby="spending-heading">
    <div class="cluster cluster--apart">
      ${heading}
      <p class="spending__total">${credits(total)}</p>
    </div>
    ${dayBars(byDay)} ${modelBars(spending, total, modelName)}
    ${!complete && html`<p class="note">There were too many jobs to count all of them; the oldest are missing here. The ledger has every one.</p>`}
    <details class="more">
      <summary>As a table</summary>
      ${table({
        caption: "Credits charged and not refunded, by day (UTC) and model",
        columns: ["Day", "Model", { label: "Credits", isNumber: true }, { label: "Jobs", isNumber: true }],
        rows: spending.map(({ day, model_slug, credits: spent, jobs }) => [
          date(day),
          modelName(model_slug),
          count(spent),
          count(jobs),
        ]),
      })}
    </details>
  </section>`;
}

type DayTotal = { day: string; credits: number };

function dayTotals(spending: readonly Spending[], since: string, days: number): DayTotal[] {
  const first = Date.parse(since);
  return Array.from({ length: days }, (_, i) => {
    const day = new Date(first + i * DAY_MS).toISOString().slice(0, 10);
    return { day, credits: sum(spending.filter((one) => one.day === day)) };
  });
}

function dayBars(byDay: readonly DayTotal[]): Markup {
  const most = byDay.reduce((a, b) => (b.credits > a.credits ? b : a));
  const says = `By day: at most ${credits(most.credits)}, on ${date(most.day)}.`;
  return html`<figure class="stack stack--close spending__days">
    <svg
      viewBox=${`0 0 ${byDay.length * (BAR + GAP) - GAP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label=${says}
    >
      ${byDay.map(({ day, credits: spent }, i) => {
        // A day without spending keeps a visible baseline, and small bars stay visible.
        const height = spent === 0 ? 1 : Math.max(3, (spent / most.credits) * HEIGHT);
        return html`<rect
          class=${spent === 0 ? "bar bar--none" : "bar"}
          x=${i * (BAR + GAP)}
          y=${HEIGHT - height}
          width=${BAR}
          height=${height}
        >
          <title>${`${date(day)}: ${credits(spent)}`}</title>
        </rect>`;
      })}
    </svg>
    <figcaption class="note">
      <div class="cluster cluster--apart">
        <span>${date(byDay[0]?.day ?? most.day)}</span><span>Today</span>
      </div>
      <p>${says}</p>
    </figcaption>
  </figure>`;
}

function modelBars(spending: readonly Spending[], total: number, modelName: ModelName): Markup {
  const slugs = [...new Set(spending.map(({ model_slug }) => model_slug))];
  const models = slugs
    .map((slug) => ({ slug, credits: sum(spending.filter(({ model_slug }) => model_slug === slug)) }))
    .sort((a, b) => b.credits - a.credits);
  return html`<dl class="stack stack--snug spending__models">
    ${models.map(
      ({ slug, credits: spent }) =>
        html`<div>
          <dt>${modelName(slug)}</dt>
          <dd>
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
              <rect class="bar bar--none" width="100" height="8" />
              <rect class="bar" width=${(spent / total) * 100} height="8" />
            </svg>
            <span>${credits(spent)}</span>
          </dd>
        </div>`,
    )}
  </dl>`;
}

function sum(spending: readonly { credits: number }[]): number {
  return spending.reduce((total, { credits: spent }) => total + spent, 0);
}
