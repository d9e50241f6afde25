// An S3-compatible server on loopback: checks every signature, stores objects in memory, serves ranges, and has faults on demand.
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export type S3Server = {
  /** For loadConfig. */
  readonly env: Readonly<Record<string, string>>;
  /** By key. */
  readonly objects: Map<string, { bytes: Buffer; mimeType: string | undefined }>;
  /** Method and key, oldest first. */
  readonly requests: string[];
  /** A status, "hang" for no response, "whole" to ignore ranges, "stop" to disconnect after one byte; undefined serves. */
  trouble: (method: string, key: string) => number | "hang" | "whole" | "stop" | undefined;
};

const BUCKET = "made-here";
const REGION = "eu-test-1";
const ACCESS_KEY_ID = "test-key";
const SECRET = "test/secret+of the store";
const MAX_SKEW_MS = 15 * 60_000;

/** Ends with the test. */
export async function startS3Server(): Promise<S3Server> {
  const s3 = await openS3Server();
  onTestFinished(s3.close);
  return s3;
}

export async function openS3Server(): Promise<S3Server & { close(): void }> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const s3: S3Server & { close(): void } = {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
    env: {
      ATELIER_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      ATELIER_S3_BUCKET: BUCKET,
      ATELIER_S3_REGION: REGION,
      ATELIER_S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
      ATELIER_S3_SECRET_ACCESS_KEY: SECRET,
    },
    objects: new Map(),
    requests: [],
    trouble: () => undefined,
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method = "", url = "" } = request;
    const refuse = (status: number, code: string) =>
      response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    if (!url.startsWith(`/${BUCKET}/`)) return void refuse(404, "NoSuchBucket");
    const key = new URL(url, "http://s3").pathname.slice(BUCKET.length + 2);
    s3.requests.push(`${method} ${key}`);
    const trouble = s3.trouble(method, key);
    if (trouble === "hang") return;
    if (typeof trouble === "number") return void refuse(trouble, "Trouble");
    const fault = url.includes("X-Amz-Signature=") ? queryFault(request) : signatureFault(request, body);
    if (fault) return void refuse(403, fault);
    if (method === "PUT") {
      s3.objects.set(key, { bytes: body, mimeType: request.headers["content-type"] });
      return void response.writeHead(200).end();
    }
    if (method === "DELETE") {
      s3.objects.delete(key);
      return void response.writeHead(204).end();
    }
    const object = s3.objects.get(key);
    if (!object) return void refuse(404, "NoSuchKey");
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    if (!range || trouble === "whole") return void response.writeHead(200).end(object.bytes);
    if (trouble === "stop") {
      response.writeHead(206, { "content-length": object.bytes.length });
      return void response.write(object.bytes.subarray(0, 1), () => response.destroy());
    }
    response.writeHead(206).end(object.bytes.subarray(Number(range[1]), Number(range[2]) + 1));
  }

  return s3;
}

/** The code of S3's refusal, by Signature Version 4 as documented. */
function signatureFault(request: IncomingMessage, body: Buffer): string | undefined {
  const header = (name: string) => String(request.headers[name] ?? "");
  const [, credential = "", signedHeaders = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      header("authorization"),
    ) ?? [];
  const [accessKeyId = "", ...scope] = credential.split("/");
  const time = header("x-amz-date");
  const [day = ""] = time.split("T");
  if (accessKeyId !== ACCESS_KEY_ID) return "InvalidAccessKeyId";
  if (scope.join("/") !== `${day}/${REGION}/s3/aws4_request`) return "AuthorizationHeaderMalformed";
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, "$1-$2-$3:$4:$5"));
  if (!(Math.abs(Date.now() - at) < MAX_SKEW_MS)) return "RequestTimeTooSkewed";
  const bodyHash = header("x-amz-content-sha256");
  if (bodyHash !== sha256(body)) return "XAmzContentSHA256Mismatch";

  const names = signedHeaders.split(";");
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => names.includes(name)))
    return "AccessDenied";
  const canonical = [
    request.method,
    request.url,
    "",
    ...names.map((name) => `${name}:${header(name).trim()}`),
    "",
    signedHeaders,
    bodyHash,
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(canonical)].join("\n");
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${SECRET}`);
  return hmac(key, toSign).toString("hex") === signature ? undefined : "SignatureDoesNotMatch";
}

/** The same for a presigned URL. */
function queryFault(request: IncomingMessage): string | undefined {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://s3");
  const of = (name: string) => searchParams.get(`X-Amz-${name}`) ?? "";
  const [time, signedHeaders] = [of("Date"), of("SignedHeaders")];
  const scope = [time.slice(0, 8), REGION, "s3", "aws4_request"];
  if (of("Credential") !== [ACCESS_KEY_ID, ...scope].join("/")) return "InvalidAccessKeyId";
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, "$1-$2-$3:$4:$5"));
  if (!(Date.now() < at + Number(of("Expires")) * 1000)) return "AccessDenied";
  const encode = (text: string) => encodeURIComponent(text).replaceAll("*", "%2A");
  const query = [...searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
  const headers = signedHeaders
    .split(";")
    .map((name) => `${name}:${String(request.headers[name] ?? "").trim()}`);
  const canonical = [request.method, pathname, query, ...headers, "", signedHeaders, "UNSIGNED-PAYLOAD"].join(
    "\n",
  );
  const toSign = ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(canonical)].join("\n");
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${SECRET}`);
  return hmac(key, toSign).toString("hex") === of("Signature") ? undefined : "SignatureDoesNotMatch";
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();
