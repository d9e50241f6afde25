// Tables with a caption and scoped headings, whose rows become cards on narrow screens.
import { type Children, type Markup, html } from "./markup.js";

/** The heading of a column; numbers stand right. */
export type Column = string | { label: string; isNumber: true };

/** The first cell of each row names the row. */
export function table({
  caption,
  columns,
  rows,
  repeatsLabels = true,
}: {
  caption: string;
  columns: readonly Column[];
  rows: readonly (readonly Children[])[];
  /** Whether the cells of a card need the labels of their columns. */
  repeatsLabels?: boolean;
}): Markup {
  const labels = columns.map((column) => (typeof column === "string" ? column : column.label));
  const labelAt = (i: number) => (repeatsLabels ? labels[i] : undefined);
  const numeric = (i: number) => (typeof columns[i] === "object" ? "number" : undefined);
  return html`<div class="table-frame">
    <table class="table">
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${labels.map((label, i) => html`<th scope="col" class=${numeric(i)}>${label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, ...cells]) =>
            html`<tr>
              <th scope="row" data-label=${labelAt(0)}>${name}</th>
              ${cells.map((cell, i) => html`<td data-label=${labelAt(i + 1)} class=${numeric(i + 1)}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A row of a list of facts. */
export function fact(name: string, value: Children): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
