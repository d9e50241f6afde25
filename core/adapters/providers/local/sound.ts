// Sound as numbers: mixing, fading, notes, and the WAV file around it all.
export const SAMPLE_RATE = 22_050;

/** Samples -1..1, one channel. */
export type Sound = Float32Array;

export function silence(seconds: number): Sound {
  return new Float32Array(Math.round(seconds * SAMPLE_RATE));
}

/** Adds `sound` into `target` from a moment on, as far as it reaches. */
export function mixInto(target: Sound, sound: Sound, atSeconds: number, gain: number): void {
  const from = Math.round(atSeconds * SAMPLE_RATE);
  const length = Math.min(sound.length, target.length - from);
  for (let i = 0; i < length; i++) target[from + i] = (target[from + i] ?? 0) + (sound[i] ?? 0) * gain;
}

/** Short ramps at both ends, so that nothing clicks. */
export function fadeEnds(sound: Sound, seconds: number): Sound {
  const length = Math.min(Math.round(seconds * SAMPLE_RATE), sound.length >> 1);
  for (let i = 0; i < length; i++)
    for (const at of [i, sound.length - 1 - i]) sound[at] = (sound[at] ?? 0) * (i / length);
  return sound;
}

/** Makes the loudest sample `peak`. Silence stays silent. */
export function normalise(sound: Sound, peak: number): Sound {
  let loudest = 0;
  for (const sample of sound) loudest = Math.max(loudest, Math.abs(sample));
  if (loudest > 0) for (let i = 0; i < sound.length; i++) sound[i] = ((sound[i] ?? 0) / loudest) * peak;
  return sound;
}

/** How much higher what sounds along is, how loud, and how fast it dies away. */
type Partials = readonly { ratio: number; weight: number; decay: number }[];

export function note(frequencyHz: number, seconds: number, partials: Partials): Sound {
  const sound = silence(seconds);
  for (const { ratio, weight, decay } of partials)
    for (let i = 0; i < sound.length; i++) {
      const t = i / SAMPLE_RATE;
      sound[i] =
        (sound[i] ?? 0) + weight * Math.sin(2 * Math.PI * frequencyHz * ratio * t) * Math.exp(-decay * t);
    }
  return fadeEnds(sound, 0.006);
}

/** PCM, 16 bits, one channel. */
export function toWav(sound: Sound): Uint8Array {
  // Kind, channels, both rates (of 32 bits), bytes and bits of a sample.
  const format = Uint16Array.of(1, 1, SAMPLE_RATE, 0, SAMPLE_RATE * 2, 0, 2, 16);
  const samples = Int16Array.from(sound, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767));
  const body = [Buffer.from("WAVE"), riff("fmt ", format), riff("data", samples)];
  return riff("RIFF", Buffer.concat(body));
}

/** A chunk of such a file. */
function riff(name: string, { buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  const head = Buffer.from(`${name}____`, "latin1");
  head.writeUInt32LE(byteLength, 4);
  const body = Buffer.from(buffer, byteOffset, byteLength);
  return Buffer.concat([head, body, Buffer.alloc(byteLength % 2)]);
}
