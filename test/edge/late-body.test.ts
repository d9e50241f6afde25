// Incomplete bodies are cut off at their deadline; complete ones and requests without a body are not.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { cutLateBody, hasBody } from "../../edge/http/slow-connections.ts";
import { waitFor } from "../support/wait-for.ts";

const LATE_MS = 50;

/** Sends these bytes. Returns whether the request had a body, and whether that was cut off. */
async function ask(bytes: string): Promise<{ body: boolean; late: boolean; whole: boolean }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  const asked = once(server, "request") as Promise<[IncomingMessage]>;
  socket.write(bytes);
  const [request] = await asked;
  let late = false;
  let past = false;
  cutLateBody(request, LATE_MS, () => (late = true));
  request.resume();
  // Later than the limit by any clock: timers of one length fire in order, and this one is created after the limit's.
  process.nextTick(() => setTimeout(() => (past = true), LATE_MS));
  await waitFor("the time to be over", async () => past);
  return { body: hasBody(request), late, whole: request.complete };
}

test("a body that stalls is cut off, with or without Content-Length", async () => {
  const head = "POST / HTTP/1.1\r\nhost: a\r\n";
  expect(await ask(`${head}content-length: 10\r\n\r\nhalf`)).toEqual({
    body: true,
    late: true,
    whole: false,
  });
  expect(await ask(`${head}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n`)).toEqual({
    body: true,
    late: true,
    whole: false,
  });
});

test("a complete body, and a request without one, have no time limit", async () => {
  const whole = { late: false, whole: true };
  expect(await ask("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\nhalf")).toEqual({
    body: true,
    ...whole,
  });
  expect(await ask("GET / HTTP/1.1\r\nhost: a\r\n\r\n")).toEqual({ body: false, ...whole });
  expect(await ask("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n")).toEqual({
    body: false,
    ...whole,
  });
});
