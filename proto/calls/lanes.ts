// The streams of calls that a client has open, one to each connected core, and whose turn it is. If there is none, the caller makes a
// separate call: while the first streams open, to a core that does not know such streams, and beyond what one stream carries.
import type { Client, ClientDuplexStream, Metadata, StatusObject } from "@grpc/grpc-js";
import { status } from "@grpc/grpc-js";
import { type Asking, createAsking } from "./asking.ts";
import { type AnswerBatch, type CallBatch, type CallFrame, OPEN_CALLS, type OpenCalls } from "./frames.ts";
import { createSender, type Sender } from "./sender.ts";

export type Lanes = {
  /** Returns the stream for the next call, or undefined if the call has to be made separately. */
  next(): Asking | undefined;
  /** Takes no new calls. Calls in progress are still answered. */
  close(): void;
};

/** Half of what core answers at the same time on one stream, because a call that was given up may still be running there. */
const MAX_UNDER_WAY = 1_000;
/** New cores, and those that are back, get calls after this time at the latest. */
const LOOK_EVERY_MS = 2_000;

/** A core that is connected. */
type Lane = {
  /** Undefined if the core's release does not know streams of calls. */
  readonly stream: LaneStream | undefined;
  /** The number of the search that found it. */
  readonly foundBy: number;
};
type LaneStream = { readonly asking: Asking; readonly sender: Sender<CallFrame>; retire(): void };

/**
 * The client uses the connections in rotation, and does not tell which it has. So one stream after the other is opened until a core appears
 * that has one already. The new stream then replaces the older one, which answers its calls in progress and ends; a connection that core or
 * its age is ending is left in this way too. A core that appears no more is gone.
 */
export function createLanes(client: Client, metadataOf: () => Promise<Metadata>): Lanes {
  const rotation = createRotation();
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  /**
   * The number of the last regular search. A core that appears for the first time may have others beside it, which are searched for at
   * once.
   */
  const newcomers = new Set<string>();

  async function look(): Promise<void> {
    const foundBy = ++looks;
    const metadata = await metadataOf();
    if (isClosed) return;
    const found = (peer: string, stream: LaneStream | undefined) => {
      const isNew = rotation.put(peer, { stream, foundBy }) && !newcomers.has(peer);
      if (!isNew) return;
      newcomers.add(peer);
      lookNow();
    };
    const stream = openStream(client, metadata, {
      onAccepted: (peer) => {
        if (isClosed) stream.retire();
        else found(peer, stream);
      },
      onLeft: (peer) => rotation.remove(peer, stream),
      onRefused: (peer, code) => {
        if (code === status.UNIMPLEMENTED && !isClosed) found(peer, undefined);
      },
    });
  }

  /** What keeps a stream from opening also keeps a separate call from being made, and that call reports it. */
  const lookNow = (): void => {
    if (!isClosed) look().catch(() => {});
  };
  const lookOnTime = () => {
    newcomers.clear();
    lookNow();
  };

  return {
    next: () => {
      if (!timer && !isClosed) {
        timer = setInterval(lookOnTime, LOOK_EVERY_MS).unref();
        lookNow();
      }
      return rotation.next();
    },
    close: () => {
      isClosed = true;
      clearInterval(timer);
      rotation.clear();
    },
  };
}

/** The connected cores, by their addresses. */
function createRotation() {
  const lanes = new Map<string, Lane>();
  let order: readonly Lane[] = [];
  let turn = 0;

  function drop(peer: string): void {
    const lane = lanes.get(peer);
    lanes.delete(peer);
    lane?.stream?.retire();
    order = [...lanes.values()];
  }

  return {
    /** Whether no core was known there. */
    put: (peer: string, lane: Lane): boolean => {
      const isNew = !lanes.has(peer);
      drop(peer);
      lanes.set(peer, lane);
      for (const [other, { foundBy }] of lanes) if (lane.foundBy - foundBy > 2 * lanes.size + 2) drop(other);
      order = [...lanes.values()];
      return isNew;
    },
    remove: (peer: string, stream: LaneStream) => {
      if (lanes.get(peer)?.stream === stream) drop(peer);
    },
    clear: () => {
      for (const peer of lanes.keys()) drop(peer);
    },
    next: (): Asking | undefined => {
      for (let tries = order.length; tries > 0; tries--) {
        const lane = order[turn++ % order.length];
        if (!lane?.stream) return undefined;
        const { asking, sender } = lane.stream;
        if (asking.size() < MAX_UNDER_WAY && !sender.isFull()) return asking;
      }
      return undefined;
    },
  };
}

type StreamEvents = {
  onAccepted(peer: string): void;
  /** Core wants no further calls on it, or it is broken. */
  onLeft(peer: string): void;
  /** It failed before core accepted it. */
  onRefused(peer: string, code: status): void;
};

function openStream(client: Client, metadata: Metadata, events: StreamEvents): LaneStream {
  const stream: ClientDuplexStream<CallBatch, AnswerBatch> = client.makeBidiStreamRequest(
    OPEN_CALLS.path,
    OPEN_CALLS.requestSerialize,
    OPEN_CALLS.responseDeserialize,
    metadata,
  );
  const sender = createSender<CallFrame>(stream);
  let isAccepted = false;
  let isRetired = false;
  const endWhenIdle = () => {
    if (isRetired && asking.size() === 0) sender.end();
  };
  const asking = createAsking(sender.send, endWhenIdle);
  stream.on("metadata", () => {
    isAccepted = true;
    events.onAccepted(stream.getPeer());
  });
  stream.on("data", ({ frames, draining }: AnswerBatch) => {
    if (draining) events.onLeft(stream.getPeer());
    for (const frame of frames) asking.receive(frame);
  });
  stream.on("status", (ended: StatusObject) => {
    const peer = stream.getPeer();
    if (isAccepted) events.onLeft(peer);
    else events.onRefused(peer, ended.code);
    asking.failAll(ended.code === status.OK ? { ...ended, code: status.UNAVAILABLE } : ended);
  });
  // The status tells the reason.
  stream.on("error", () => {});
  return {
    asking,
    sender,
    retire: () => {
      isRetired = true;
      endWhenIdle();
    },
  };
}

/** A core in the same process is called without a socket, but otherwise as over a stream. */
export function createInnerLane(open: OpenCalls): Lanes {
  let isDraining = false;
  const core = open({
    answer: (frame) => asking.receive(frame),
    drain: () => {
      isDraining = true;
    },
  });
  const asking = createAsking(core.receive, () => {});
  return {
    next: () => (isDraining ? undefined : asking),
    close: () => {
      isDraining = true;
    },
  };
}
