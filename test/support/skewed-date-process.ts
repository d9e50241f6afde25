// Preloaded (--import) into a process whose clock should be wrong by TEST_CLOCK_SKEW_MS: it shifts Date, and not the monotonic clock.
const skewMs = Number(process.env["TEST_CLOCK_SKEW_MS"] ?? 0);
const trueNow = Date.now;

class SkewedDate extends Date {
  constructor(...parts: [] | ConstructorParameters<typeof Date>) {
    if (parts.length === 0) super(trueNow() + skewMs);
    else super(...parts);
  }

  static override now(): number {
    return trueNow() + skewMs;
  }
}

globalThis.Date = SkewedDate as DateConstructor;
