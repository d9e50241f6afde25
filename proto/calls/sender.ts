// Sends frames over a stream: all that gather within one turn of the event loop as one message, which costs about as much as one of them, and large
// ones in parts between others, so that nobody waits behind them.

type Part = { id: number; payload?: Uint8Array; more?: boolean };

export type Sender<Frame> = {
  send(frame: Frame): void;
  /** More waits to be sent than should: the other side reads too slowly. */
  isFull(): boolean;
  /** Ends the stream when all is sent. */
  end(): void;
};

type Stream<Batch> = {
  write(batch: Batch): boolean;
  on(event: "drain", listener: () => void): unknown;
  end(): void;
  readonly writable: boolean;
};

/** A message ends with the frame that makes its payloads longer. */
const MESSAGE_BYTES = 32 * 1024;
/** Their metadata, too, has to stay far below what a message may have. */
const MESSAGE_FRAMES = 64;
const FULL_BYTES = 4 * 1024 * 1024;

/** `onRoom` is called when the sender that was full is so no more. */
export function createSender<Frame extends Part>(
  stream: Stream<{ frames: Frame[] }>,
  onRoom: () => void = () => {},
): Sender<Frame> {
  let waiting: Frame[] = [];
  let bytes = 0;
  let isScheduled = false;
  let isBlocked = false;
  let isEnding = false;

  const isFull = () => bytes > FULL_BYTES;

  function takeBatch(): Frame[] {
    const batch: Frame[] = [];
    const rests: Frame[] = [];
    let size = 0;
    let taken = 0;
    for (const frame of waiting) {
      if (size >= MESSAGE_BYTES || taken === MESSAGE_FRAMES) break;
      taken += 1;
      const { payload } = frame;
      if (!payload || payload.length <= MESSAGE_BYTES) batch.push(frame);
      else {
        batch.push({ ...frame, payload: payload.subarray(0, MESSAGE_BYTES), more: true });
        rests.push({ id: frame.id, payload: payload.subarray(MESSAGE_BYTES) } as Frame);
      }
      size += Math.min(payload?.length ?? 0, MESSAGE_BYTES);
    }
    waiting = [...waiting.slice(taken), ...rests];
    bytes -= size;
    return batch;
  }

  function flush(): void {
    isScheduled = false;
    const wasFull = isFull();
    while (waiting.length > 0 && !isBlocked && stream.writable)
      isBlocked = !stream.write({ frames: takeBatch() });
    if (wasFull && !isFull()) onRoom();
    if (isEnding && waiting.length === 0 && stream.writable) stream.end();
  }

  function schedule(): void {
    if (isScheduled || isBlocked) return;
    isScheduled = true;
    setImmediate(flush);
  }

  stream.on("drain", () => {
    isBlocked = false;
    flush();
  });
  return {
    isFull,
    send: (frame) => {
      waiting.push(frame);
      bytes += frame.payload?.length ?? 0;
      schedule();
    },
    end: () => {
      isEnding = true;
      schedule();
    },
  };
}
