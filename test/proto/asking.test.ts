// The client's half of a stream of calls.
import { Metadata, type MethodDefinition } from "@grpc/grpc-js";
import { expect, test } from "vitest";
import { type AskedCall, createAsking } from "../../proto/calls/asking.ts";
import type { CallFrame } from "../../proto/calls/frames.ts";

const METHOD = {
  path: "/atelier.v1.Any/Any",
  requestSerialize: () => Buffer.alloc(0),
  responseDeserialize: (bytes: Buffer) => ({ text: bytes.toString() }),
} as unknown as MethodDefinition<object, object>;

function call(): AskedCall {
  return {
    method: METHOD,
    request: {},
    metadata: new Metadata(),
    deadline: Date.now() + 60_000,
    signal: undefined,
  };
}

test("numbers of calls begin again after 32 bits", async () => {
  const sent: CallFrame[] = [];
  const asking = createAsking(
    (frame) => void sent.push(frame),
    () => {},
    2 ** 32 - 2,
  );
  const [last, one, two] = [asking.ask(call()), asking.ask(call()), asking.ask(call())];
  expect(sent.map(({ id }) => id)).toEqual([2 ** 32 - 1, 1, 2]);
  for (const [id, text] of [
    [2, "two"],
    [2 ** 32 - 1, "last"],
    [1, "one"],
  ] as const)
    asking.receive({ id, payload: Buffer.from(text) });
  expect(await Promise.all([last, one, two])).toEqual([{ text: "last" }, { text: "one" }, { text: "two" }]);
  expect(asking.size()).toBe(0);
});
