// Draws a trace: its spans as bars over time, each under its parent, in the colour of its process.
import type { CollectedSpan } from "./collector.ts";

const ROW = 22;
const LEFT = 360;
const WIDTH = 1_000;
const TOP = 56;
const COLOURS: Readonly<Record<string, string>> = {
  "atelier-gateway": "#a83f1b",
  "atelier-mcp": "#8a6d1f",
  "atelier-core": "#1f6b45",
  "atelier-worker": "#2b5c9e",
};

/** SVG of the spans below `parentId`, by start time. */
export function drawTrace(spans: readonly CollectedSpan[], parentId: string): string {
  const rows = rowsUnder(spans, parentId, 0);
  const from = Math.min(...rows.map(({ span }) => span.start));
  const total = Math.max(...rows.map(({ span }) => span.end)) - from;
  const x = (at: number) => LEFT + ((at - from) / total) * (WIDTH - LEFT - 90);
  const height = TOP + rows.length * ROW + 16;
  const services = [...new Set(rows.map(({ span }) => span.service))];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="${rows.length} spans of one job in ${services.length} processes, ${written(total)} in all">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${services.map((service, i) => `<rect x="${16 + i * 150}" y="16" width="12" height="12" rx="2" fill="${COLOURS[service]}"/><text x="${34 + i * 150}" y="27" fill="#1f1c18">${service}</text>`).join("\n")}
${[0, 0.25, 0.5, 0.75, 1].map((part) => `<path d="M${x(from + part * total).toFixed(1)} ${TOP - 8}V${height - 12}" stroke="#ddd6ca"/><text x="${x(from + part * total).toFixed(1)}" y="${TOP - 12}" text-anchor="middle" fill="#5c554b" font-size="11">${written(part * total)}</text>`).join("\n")}
${rows
  .map(({ span, depth }, i) => {
    const y = TOP + i * ROW;
    const end = Math.max(x(span.end), x(span.start) + 2);
    return `<text x="${16 + depth * 14}" y="${y + 14}" fill="#1f1c18">${escaped(span.name)}</text><rect x="${x(span.start).toFixed(1)}" y="${y + 4}" width="${(end - x(span.start)).toFixed(1)}" height="12" rx="2" fill="${COLOURS[span.service]}"/><text x="${(end + 6).toFixed(1)}" y="${y + 14}" fill="#5c554b" font-size="11">${written(span.end - span.start)}</text>`;
  })
  .join("\n")}
</svg>
`;
}

function rowsUnder(
  spans: readonly CollectedSpan[],
  parentId: string,
  depth: number,
): { span: CollectedSpan; depth: number }[] {
  return spans
    .filter((span) => span.parentId === parentId)
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .flatMap((span) => [{ span, depth }, ...rowsUnder(spans, span.spanId, depth + 1)]);
}

function written(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
