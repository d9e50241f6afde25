// The client's own server on loopback that the service calls back. It verifies before it reads, with nothing but node:crypto.
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { CALLBACK_EVENTS } from "../../proto/resources/callback.ts";
import { jobSchema } from "../../proto/resources/job.ts";
import { expectThat } from "./expect.ts";

/** Receivers refuse messages that are older; it keeps a recorded one from being sent again. */
const MAX_AGE_SECONDS = 300;

const bodySchema = z.object({
  event: z.enum(CALLBACK_EVENTS),
  delivery_id: z.string(),
  created_at: z.iso.datetime(),
  job: jobSchema.omit({ callback: true }),
});
export type Callback = z.output<typeof bodySchema>;

export type Receiver = {
  url: string;
  /** Resolves with the verified callback of the job, rejects when one came that did not verify, or none in time. */
  callbackOf(jobId: string, boundMs: number): Promise<Callback>;
  close(): Promise<void>;
};

export async function openReceiver(secret: string): Promise<Receiver> {
  const arrived = new Map<string, Callback>();
  let failure: Error | undefined;
  const looked = new Set<() => void>();

  const server = createServer((request, response) => {
    readBody(request)
      .then((raw) => {
        const callback = verify(secret, request, raw);
        arrived.set(callback.job.job_id, callback);
        response.writeHead(204).end();
      })
      .catch((error: Error) => {
        failure ??= error;
        response.writeHead(400).end();
      })
      .finally(() => looked.forEach((look) => look()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    callbackOf: async (jobId, boundMs) => {
      const { promise, resolve, reject } = Promise.withResolvers<Callback>();
      const look = () => {
        const callback = arrived.get(jobId);
        if (failure) reject(failure);
        else if (callback) resolve(callback);
      };
      const timer = setTimeout(
        () => reject(new Error(`no callback of ${jobId} came within ${boundMs / 1000} s`)),
        boundMs,
      );
      looked.add(look);
      look();
      return promise.finally(() => {
        clearTimeout(timer);
        looked.delete(look);
      });
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Both signatures are over the bytes as they came: a body that was parsed and written again would not fit. */
function verify(secret: string, { headers }: IncomingMessage, raw: Buffer): Callback {
  const header = (name: string) => String(headers[name] ?? "");

  const plain = `sha256=${createHmac("sha256", secret).update(raw).digest("hex")}`;
  expectThat(same(header("x-service-signature"), plain), "a callback's x-service-signature does not verify");

  const [id, timestamp] = [header("webhook-id"), header("webhook-timestamp")];
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const standard = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(raw).digest("base64");
  const offered = header("webhook-signature").split(" ");
  expectThat(
    offered.some((one) => same(one, `v1,${standard}`)),
    "a callback's webhook-signature does not verify",
  );
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  expectThat(
    ageSeconds <= MAX_AGE_SECONDS,
    `a callback's webhook-timestamp is ${ageSeconds} s away from now`,
  );

  const callback = bodySchema.parse(JSON.parse(raw.toString("utf8")));
  expectThat(
    callback.event === header("x-service-event") &&
      callback.delivery_id === id &&
      id === header("x-service-delivery"),
    "a callback's headers and body name different events or deliveries",
  );
  return callback;
}

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
