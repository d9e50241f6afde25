// Sound as numbers: mixing, fading, notes, and the WAV file around it all.
export const SAMPLE_RATE = 22_050;

/** Samples -1..1, one channel. */
export type Sound = Float32Array;

export function silence(seconds: number): Sound {
  return new Float32Array(Math.round(seconds * SAMPLE_RATE));
}

export function concatenate(sounds: readonly Sound[]): Sound {
  const joined = new Float32Array(sounds.reduce((length, sound) => length + sound.length, 0));
  let at = 0;
  for (const sound of sounds) {
    joined.set(sound, at);
    at += sound.length;
  }
  return joined;
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
  for (let i = 0; i < length; i++) {
    const gain = i / length;
    sound[i] = (sound[i] ?? 0) * gain;
    const j = sound.length - 1 - i;
    sound[j] = (sound[j] ?? 0) * gain;
  }
  return sound;
}

/** Makes the loudest sample `peak`. Silence stays silent. */
export function normalise(sound: Sound, peak: number): Sound {
  let loudest = 0;
  for (const sample of sound) loudest = Math.max(loudest, Math.abs(sample));
  if (loudest > 0) for (let i = 0; i < sound.length; i++) sound[i] = ((sound[i] ?? 0) / loudest) * peak;
  return sound;
}

/** What sounds along with a note: how much higher, how loud, and how fast it dies away. */
type Partials = readonly (readonly [ratio: number, weight: number, decay: number])[];

/** Struck: what sounds along is out of tune and gone soon. */
export const BELL: Partials = [
  [1, 0.5, 6],
  [2.01, 0.28, 9],
  [2.76, 0.14, 13],
  [5.4, 0.06, 20],
];
/** Held, two voices that beat slowly against each other. */
export const PAD: Partials = [
  [0.9985, 1, 0],
  [1.0017, 1, 0],
  [2, 0.3, 0],
];

export function note(frequencyHz: number, seconds: number, partials: Partials): Sound {
  const sound = silence(seconds);
  for (const [ratio, weight, decay] of partials)
    for (let i = 0; i < sound.length; i++) {
      const t = i / SAMPLE_RATE;
      sound[i] =
        (sound[i] ?? 0) + weight * Math.sin(2 * Math.PI * frequencyHz * ratio * t) * Math.exp(-decay * t);
    }
  return fadeEnds(sound, 0.006);
}

/** PCM, 16 bits, one channel. */
export function toWav(sound: Sound): Uint8Array {
  const wav = Buffer.alloc(44 + sound.length * 2);
  wav.write("RIFF____WAVEfmt ", "latin1");
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(SAMPLE_RATE, 24);
  wav.writeUInt32LE(SAMPLE_RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36, "latin1");
  wav.writeUInt32LE(sound.length * 2, 40);
  for (const [i, sample] of sound.entries())
    wav.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), 44 + i * 2);
  return wav;
}
