// Sends frames over a stream. All frames that gather within one turn of the event loop become one message, which costs about as much as a
// single frame. Large frames travel in parts between others, so that no one waits behind them.

type Part = { id: number; payload?: Uint8Array; more?: boolean };

export type Sender<Frame> = {
  send(frame: Frame): void;
  /** More data waits than should: the other side reads too slowly. */
  isFull(): boolean;
  /** Ends the stream when everything is sent. */
  end(): void;
};

type Stream<Batch> = {
  write(batch: Batch): boolean;
  on(event: "drain", listener: () => void): unknown;
  end(): void;
  readonly writable: boolean;
};

/** A message ends with the frame that takes its payloads over this size. */
const MESSAGE_BYTES = 32 * 1024;
/** The metadata, too, has to stay far below the limit of a message. */
const MESSAGE_FRAMES = 64;
const FULL_BYTES = 4 * 1024 * 1024;

/** `onRoom` is called when a sender that was full can take frames again. */
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
