// Small icons. They accompany words, so screen readers skip them.
import { type Markup, html } from "./markup.js";

const PATHS = {
  brand: "M5 20 12 4l7 16M7.6 14.5h8.8",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8a7.5 7.5 0 0 1 15 0",
  search: "m20 20-4.5-4.5M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Z",
  check: "m5 12.5 4.5 4.5L19 7.5",
  info: "M12 11v5m0-8.5v.1M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
  warning:
    "M12 9v4m0 3.5v.1M10.3 4.5 2.9 17.3A2 2 0 0 0 4.6 20h14.8a2 2 0 0 0 1.7-2.7L13.7 4.5a2 2 0 0 0-3.4 0Z",
  image: "M4 5h16v14H4zM4 16l4.5-4.5L13 16l3-3 4 4M15.5 9.5v.1",
  video: "M4 6h11v12H4zm11 4.5 5-3v9l-5-3",
  audio: "M4 10v4m4-7v10m4-13v16m4-13v10m4-7v4",
  credits:
    "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm2.6-11.4c-.5-1-1.5-1.6-2.6-1.6-1.5 0-2.7 1-2.7 2.1 0 2.8 5.4 1.1 5.4 3.9 0 1.2-1.2 2.1-2.7 2.1-1.2 0-2.2-.6-2.7-1.6M12 6.4V8m0 8.1v1.5",
  inbox: "M4 13 6.6 5h10.8L20 13v6H4zm0 0h4.5l1.2 2.5h4.6l1.2-2.5H20",
  star: "m12 4 2.4 5.1 5.6.7-4.1 3.9 1.1 5.6-5-2.8-5 2.8 1.1-5.6L4 9.8l5.6-.7z",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): Markup {
  return drawing(
    html`<path
      d=${PATHS[name]}
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
    />`,
  );
}

/** An icon of other lines. */
export function drawing(lines: Markup): Markup {
  return html`<svg
    class="icon"
    viewBox="0 0 24 24"
    width="20"
    height="20"
    aria-hidden="true"
    focusable="false"
    fill="none"
  >
    ${lines}
  </svg>`;
}
