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

/** A struck bell: inharmonic partials that die away at different speeds. */
export function bell(frequencyHz: number, seconds: number): Sound {
  const sound = silence(seconds);
  const partials = [
    [1, 1, 2.6],
    [2.01, 0.55, 3.8],
    [2.76, 0.28, 5.4],
    [5.4, 0.12, 9],
  ] as const;
  for (let i = 0; i < sound.length; i++) {
    const t = i / SAMPLE_RATE;
    let sample = 0;
    for (const [ratio, weight, decay] of partials)
      sample +=
        weight * Math.sin(2 * Math.PI * frequencyHz * ratio * t) * Math.exp((-decay * t * 2.2) / seconds);
    sound[i] = sample * 0.5;
  }
  return fadeEnds(sound, 0.006);
}

/** A soft held chord whose voices beat slowly against each other. */
export function pad(frequenciesHz: readonly number[], seconds: number): Sound {
  const sound = silence(seconds);
  frequenciesHz.forEach((frequency, voice) => {
    for (const detune of [0.9985, 1.0017]) {
      const step = (2 * Math.PI * frequency * detune) / SAMPLE_RATE;
      const swell = (2 * Math.PI * (0.07 + 0.03 * voice)) / SAMPLE_RATE;
      for (let i = 0; i < sound.length; i++) {
        const level = 0.72 + 0.28 * Math.sin(swell * i + voice);
        sound[i] =
          (sound[i] ?? 0) +
          level * (Math.sin(step * i) + 0.22 * Math.sin(2 * step * i) + 0.07 * Math.sin(3 * step * i));
      }
    }
  });
  return fadeEnds(normalise(sound, 1), Math.min(1.2, seconds / 2));
}

/** PCM, 16 bits, one channel. */
export function toWav(sound: Sound): Uint8Array {
  const bytes = new Uint8Array(44 + sound.length * 2);
  const view = new DataView(bytes.buffer);
  const text = (at: number, value: string): void => bytes.set(Buffer.from(value, "latin1"), at);
  text(0, "RIFF");
  view.setUint32(4, bytes.length - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLE_RATE, true);
  view.setUint32(28, SAMPLE_RATE * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, sound.length * 2, true);
  sound.forEach((sample, i) =>
    view.setInt16(44 + i * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true),
  );
  return bytes;
}
