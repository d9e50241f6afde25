// Tables with a caption and scoped headings, whose rows become cards on narrow screens.
import { type Children, type Markup, html } from "./markup.js";

export type Column = { label: string; /** Numbers stand right. */ isNumber?: boolean };

/** The first cell of each row names the row. */
export function table({
  caption,
  columns,
  rows,
}: {
  caption: string;
  columns: readonly Column[];
  rows: readonly (readonly Children[])[];
}): Markup {
  const numeric = (i: number) => (columns[i]?.isNumber === true ? "number" : undefined);
  return html`<div class="table-frame">
    <table class="table">
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ label }, i) => html`<th scope="col" class=${numeric(i)}>${label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, ...cells]) =>
            html`<tr>
              <th scope="row" data-label=${columns[0]?.label}>${name}</th>
              ${cells.map((cell, i) => html`<td data-label=${columns[i + 1]?.label} class=${numeric(i + 1)}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
