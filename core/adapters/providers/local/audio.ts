// WAV files: the prompt spoken by a synthetic voice, with background music if the model has any.
import alphabets from "./alphabets.json" with { type: "json" };
import { createRandom } from "./art/random.ts";
import { SAMPLE_RATE, type Sound, speak } from "./flite.ts";
import { type Maker, numberParam, type Params, takeSeed } from "./maker.ts";
import tables from "./sound.json" with { type: "json" };

/** Of today, and of models and jobs from before the voices were Flite's. */
const VOICES = new Map(Object.entries(tables.voices));
/** Some sentences, or what there is up to a space, or as much of a word: the voice says nothing until it has thought all of it over. */
const PIECE = /\S(?:.{0,298}[.!?;:](?= |$)|.{0,298}(?= |$)|.{0,99})/g;

/** `pace` multiplies that of the voice. */
type Reading = { readonly pace: number; readonly music: boolean };

export const VOICE: Reading = { pace: 1, music: false };
export const NARRATOR: Reading = { pace: 0.82, music: true };

/**
 * Four thousand characters at half speed. Only strings of symbols that are read as words ("$$$") are longer; a falling chime marks the cut.
 */
const MAX_SECONDS = 720;

/**
 * `bell`: struck, what sounds along is out of tune and gone soon. `pad`: held, two voices that beat slowly against each other.
 */
const { bell, pad } = tables;

export function createAudioMaker({ pace, music }: Reading): Maker {
  return async ({ prompt, params, onProgress, checkpoint }) => {
    const speaking = {
      voice: VOICES.get(String(params["voice"])) ?? "slt",
      speed: numberParam(params, "speed", 1, 0.25, 4) * pace,
      pitch: numberParam(params, "pitch", 1, 0.25, 4),
    };
    const parts: Sound[] = [silence(0.12)];
    let seconds = 0;
    const pieces = speakableOf(prompt);
    for (const [i, piece] of pieces.entries()) {
      checkpoint();
      const spoken = (await speak(piece, speaking)) ?? chime();
      seconds += spoken.length / SAMPLE_RATE;
      parts.push(seconds > MAX_SECONDS ? chime() : fadeEnds(spoken, 0.008));
      if (seconds > MAX_SECONDS) break;
      onProgress(((i + 1) / pieces.length) * 0.8);
    }
    if (pieces.length === 0) parts.push(chime());
    const spoken = normalise(new Float32Array(await new Blob(parts).arrayBuffer()), 0.86);
    checkpoint();
    const sound = music ? withMusic(spoken, prompt, params) : spoken;
    return [{ bytes: toWav(sound), mimeType: "audio/wav", durationSeconds: sound.length / SAMPLE_RATE }];
  };
}

/** For what cannot be said. */
function chime(): Sound {
  const melody = silence(1.7);
  for (const [i, step] of [14, 7, 0].entries())
    mixInto(melody, note(392 * semitones(step), 0.9, bell), i * 0.26, 0.7);
  return melody;
}

function semitones(count: number): number {
  return 2 ** (count / 12);
}

/** A chime, then the voice over chords that change every few seconds, then the chime again. */
function withMusic(spoken: Sound, prompt: string, params: Params): Sound {
  const loudness = numberParam(params, "music", 0.5, 0, 1);
  const random = createRandom(`${prompt}\n${takeSeed(params)}`);
  const [opening, closing] = [1.6, 2.4];
  const sound = silence(opening + spoken.length / SAMPLE_RATE + closing);
  mixInto(sound, spoken, opening, 1);
  const seconds = sound.length / SAMPLE_RATE;
  const rootHz = 110 * semitones(Math.floor(random.between(-3, 5)));
  const chordSeconds = random.between(4.2, 5.6);
  // Each note of a chord is rendered once, however long the text is.
  const chords = tables.chords.map((steps) => {
    const chord = silence(chordSeconds + 1.2);
    for (const step of steps) mixInto(chord, note(rootHz * semitones(step), chordSeconds + 1.2, pad), 0, 1);
    return fadeEnds(normalise(chord, 0.24 * loudness), 1.2);
  });
  for (let i = 0; i * chordSeconds < seconds; i++)
    mixInto(sound, chords[i % chords.length] ?? silence(0), i * chordSeconds, 1);
  for (const at of [0.1, seconds - closing + 0.2])
    for (const [i, step] of [12, 19, 24].entries())
      mixInto(sound, note(rootHz * 2 * semitones(step), 1.9, bell), at + i * 0.16, 0.22 * loudness);
  return fadeEnds(normalise(sound, 0.9), 0.4);
}

/** By letter. */
const SOUNDS: ReadonlyMap<string, string> = new Map(
  Object.values(alphabets).flatMap((letters) =>
    letters.split(" ").map((pair) => [pair.charAt(0), pair.slice(2)] as const),
  ),
);

/** In letters that the voice knows: those with accents lose them, those of near alphabets are written in Latin ones. */
function speakableOf(prompt: string): string[] {
  const letters = [...prompt.normalize("NFKC").toLowerCase()].map(
    (letter) => SOUNDS.get(letter) ?? SOUNDS.get(letter.normalize("NFD").charAt(0)) ?? letter,
  );
  const text = letters
    .join("")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[‘’‛]/g, "'")
    .replace(/[–—…]/g, ", ")
    .replace(/[^a-z0-9$%&@#+=<>.,;:!?'-]+/g, " ");
  return (text.match(PIECE) ?? []).filter((piece) => /[a-z0-9$%&@#+=<>]/.test(piece));
}

function silence(seconds: number): Sound {
  return new Float32Array(Math.round(seconds * SAMPLE_RATE));
}

/** Adds `sound` into `target` from a moment on, as far as it reaches. */
function mixInto(target: Sound, sound: Sound, atSeconds: number, gain: number): void {
  const from = Math.round(atSeconds * SAMPLE_RATE);
  const length = Math.min(sound.length, target.length - from);
  for (let i = 0; i < length; i++) target[from + i] = (target[from + i] ?? 0) + (sound[i] ?? 0) * gain;
}

/** Short ramps at both ends, so that nothing clicks. */
function fadeEnds(sound: Sound, seconds: number): Sound {
  const length = Math.min(Math.round(seconds * SAMPLE_RATE), sound.length >> 1);
  for (let i = 0; i < length; i++)
    for (const at of [i, sound.length - 1 - i]) sound[at] = (sound[at] ?? 0) * (i / length);
  return sound;
}

/** Makes the loudest sample `peak`. Silence stays silent. */
function normalise(sound: Sound, peak: number): Sound {
  let loudest = 0;
  for (const sample of sound) loudest = Math.max(loudest, Math.abs(sample));
  if (loudest > 0) for (let i = 0; i < sound.length; i++) sound[i] = ((sound[i] ?? 0) / loudest) * peak;
  return sound;
}

/** How much higher what sounds along is, how loud, and how fast it dies away. */
type Partials = readonly { ratio: number; weight: number; decay: number }[];

function note(frequencyHz: number, seconds: number, partials: Partials): Sound {
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
