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
      const wave = weight * Math.sin(2 * Math.PI * frequencyHz * ratio * t) * Math.exp(-decay * t);
      sound[i] = (sound[i] ?? 0) + wave;
    }
  return fadeEnds(sound, 0.006);
}

/** PCM, 16 bits, one channel. */
export function toWav(sound: Sound): Uint8Array {
  const samples = Int16Array.from(sound, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767));
  const size = samples.byteLength;
  const header = Buffer.from("RIFF____WAVEfmt ____________________data____");
  // Kind and channels, both rates, bytes and bits of a sample.
  const format = [16, 0x1_0001, SAMPLE_RATE, SAMPLE_RATE * 2, 0x10_0002];
  for (const [i, value] of format.entries()) header.writeUInt32LE(value, 16 + i * 4);
  header.writeUInt32LE(36 + size, 4);
  header.writeUInt32LE(size, 40);
  return Buffer.concat([header, Buffer.from(samples.buffer)]);
}
