// A trace collector for tests: accepts OTLP over HTTP, and stores it. It can hang like a frozen one: it accepts connections and never
// answers.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import protobuf from "protobufjs";
import { onTestFinished } from "vitest";

const PROTO = fileURLToPath(new URL("otlp.proto", import.meta.url));
const KINDS = ["unspecified", "internal", "server", "client", "producer", "consumer"];

export type CollectedSpan = {
  readonly service: string;
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentId: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Ids of spans in other traces. */
  readonly links: readonly string[];
  /** In milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly hasFailed: boolean;
};

export type Collector = {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** Headers of the newest request. */
  headers(): IncomingMessage["headers"];
  freeze(): void;
  thaw(): void;
};

type Value = { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean };
type Attribute = { key: string; value: Value };
type Message = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        kind: number;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes?: Attribute[];
        links?: { spanId: string }[];
        status?: { code?: number };
      }[];
    }[];
  }[];
};

/** Ends with the test. */
export async function startCollector(): Promise<Collector> {
  const collector = await openCollector();
  onTestFinished(collector.close);
  return collector;
}

export async function openCollector(): Promise<Collector & { close(): Promise<void> }> {
  const Request = (await protobuf.load(PROTO)).lookupType("ExportTraceServiceRequest");
  const spans: CollectedSpan[] = [];
  let headers: IncomingMessage["headers"] = {};
  let isFrozen = false;
  const server = createServer(async (request, response) => {
    if (isFrozen) return;
    headers = request.headers;
    const chunks = await request.toArray();
    const sent = Buffer.concat(chunks as Buffer[]);
    const body = headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    const message = Request.toObject(Request.decode(body), { longs: String, bytes: String, arrays: true });
    spans.push(...flatten(message as Message));
    response.writeHead(request.url === "/v1/traces" ? 200 : 404, {
      "content-type": "application/x-protobuf",
    });
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers: () => headers,
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function flatten({ resourceSpans }: Message): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        service: String(toRecord(resource.attributes)["service.name"]),
        name: span.name,
        kind: KINDS[span.kind] ?? "",
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentId: hex(span.parentSpanId ?? ""),
        attributes: toRecord(span.attributes ?? []),
        links: (span.links ?? []).map(({ spanId }) => hex(spanId)),
        start: Number(BigInt(span.startTimeUnixNano)) / 1e6,
        end: Number(BigInt(span.endTimeUnixNano)) / 1e6,
        hasFailed: span.status?.code === 2,
      })),
    ),
  );
}

function hex(base64: string): string {
  return Buffer.from(base64, "base64").toString("hex");
}

function toRecord(attributes: readonly Attribute[]): CollectedSpan["attributes"] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  );
}

/** The spans below one, as indented lines of service and name, each under its parent, by name. */
export function treeOf(spans: readonly CollectedSpan[], parentId: string, depth = 0): string[] {
  return spans
    .filter((span) => span.parentId === parentId)
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .flatMap(({ service, name, kind, spanId }) => [
      `${"  ".repeat(depth)}${service}: ${name} (${kind})`,
      ...treeOf(spans, spanId, depth + 1),
    ]);
}
