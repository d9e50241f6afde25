// The rotation over cores, which a client discovers by opening streams.
import { EventEmitter } from "node:events";
import { type Client, Metadata, status, type MethodDefinition } from "@grpc/grpc-js";
import { expect, onTestFinished, test, vi } from "vitest";
import { type AskedCall, createAsking } from "../../proto/calls/asking.ts";
import type { CallFrame } from "../../proto/calls/frames.ts";
import { createLanes, type Lanes } from "../../proto/calls/lanes.ts";

/** A connection with the name of its core. */
class FakeStream extends EventEmitter {
  readonly writable = true;
  readonly peer: string;
  readonly sent: object[] = [];
  isEnded = false;

  constructor(peer: string) {
    super();
    this.peer = peer;
  }

  getPeer(): string {
    return this.peer;
  }
  write(batch: object): boolean {
    return this.sent.push(batch) > 0;
  }
  end(): void {
    this.isEnded = true;
  }
}

/** Lanes to cores that come up in turn, and the opened streams. */
function open(cores: { peers: string[] }): { lanes: Lanes; streams: FakeStream[] } {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const streams: FakeStream[] = [];
  const client = {
    makeBidiStreamRequest: () => {
      const peer = cores.peers[streams.length % cores.peers.length] ?? "";
      const stream = new FakeStream(peer);
      streams.push(stream);
      const ended = (code: status) => ({ code, details: "", metadata: new Metadata() });
      setTimeout(() => {
        if (peer.startsWith("old")) return stream.emit("status", ended(status.UNIMPLEMENTED));
        stream.emit("metadata");
        return peer.startsWith("broken") && stream.emit("status", ended(status.UNAVAILABLE));
      }, 1);
      return stream;
    },
  } as unknown as Client;
  const lanes = createLanes(client, async () => new Metadata());
  onTestFinished(() => lanes.close());
  return { lanes, streams };
}

/** How many of the next twelve calls each stream gets. */
function turns(lanes: Lanes): number[] {
  const counts = new Map<unknown, number>();
  for (let i = 0; i < 12; i++) {
    const asking = lanes.next();
    counts.set(asking, (counts.get(asking) ?? 0) + 1);
  }
  return [...counts.values()];
}

test("all cores are found at the first call, and get equal shares", async () => {
  const { lanes, streams } = open({ peers: ["a", "b", "c"] });
  expect(lanes.next()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(100);
  expect(streams.map(({ peer }) => peer)).toEqual(["a", "b", "c", "a"]);
  expect(turns(lanes)).toEqual([4, 4, 4]);
  // The second stream to a has replaced the first.
  expect(streams.map(({ isEnded }) => isEnded)).toEqual([true, false, false, false]);
});

test("a core that stays down leaves the rotation, and its stream ends", async () => {
  const cores = { peers: ["a", "b"] };
  const { lanes, streams } = open(cores);
  lanes.next();
  await vi.advanceTimersByTimeAsync(100);
  expect(turns(lanes)).toEqual([6, 6]);
  cores.peers = ["b"];
  await vi.advanceTimersByTimeAsync(30_000);
  expect(turns(lanes)).toEqual([12]);
  expect(streams.filter(({ peer, isEnded }) => peer === "a" && !isEnded)).toEqual([]);
});

test("a core of an older release gets its share by unary calls", async () => {
  const { lanes } = open({ peers: ["a", "old b"] });
  lanes.next();
  await vi.advanceTimersByTimeAsync(100);
  const isAlone = Array.from({ length: 4 }, () => lanes.next() === undefined);
  expect(isAlone.filter(Boolean).length).toBe(2);
});

test("a stream that breaks right after opening is reopened after the usual delay", async () => {
  const { lanes, streams } = open({ peers: ["broken"] });
  lanes.next();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(streams.length).toBeLessThan(4);
  expect(lanes.next()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(streams.length).toBeGreaterThan(2);
  expect(streams.length).toBeLessThan(7);
});

// The client's half of a stream of calls.
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
