// WAV files: the prompt spoken by a synthetic voice, with music under it where the model has some.
import { speak, VOICES, type Voice } from "./flite.ts";
import { type Maker, numberParam, type Params, takeSeed } from "./maker.ts";
import { createRandom } from "./scene/random.ts";
import {
  bell,
  concatenate,
  fadeEnds,
  mixInto,
  normalise,
  pad,
  SAMPLE_RATE,
  silence,
  type Sound,
  toWav,
} from "./sound.ts";
import { type Utterance, utterancesOf } from "./utterances.ts";

/** Of models and jobs from before the voices were Flite's. */
const FORMER_VOICES: ReadonlyMap<unknown, Voice> = new Map([
  ["sam", "kal16"],
  ["robot", "kal16"],
  ["elf", "slt"],
  ["alien", "slt"],
  ["stuffy", "rms"],
  ["elder", "awb"],
]);

type Reading = {
  /** Multiplies the pace of the voice. */
  pace: number;
  pauses: number;
  music: boolean;
};

export const VOICE: Reading = { pace: 1, pauses: 1, music: false };
export const NARRATOR: Reading = { pace: 0.82, pauses: 2.1, music: true };

/** Four thousand characters at half speed. Longer only with strings of signs that are read as words ("$$$"); a falling chime says so. */
const MAX_SECONDS = 720;

/** Equal steps of a pentatonic scale: any two notes sound well together. */
const SCALE = [0, 2, 4, 7, 9];
const CHORDS = [
  [0, 7, 12, 16],
  [-3, 4, 12, 16],
  [-7, 5, 9, 16],
  [-5, 2, 11, 14],
] as const;

export function createAudioMaker(reading: Reading): Maker {
  return async ({ prompt, params, onProgress, checkpoint }) => {
    const utterances = utterancesOf(prompt);
    const parts: Sound[] = [silence(0.12)];
    let seconds = 0;
    for (const [i, utterance] of utterances.entries()) {
      checkpoint();
      const sounds = await render(utterance, params, reading);
      seconds += sounds.reduce((sum, { length }) => sum + length / SAMPLE_RATE, 0);
      if (seconds > MAX_SECONDS) {
        parts.push(play([0.6, 0.3, 0]));
        break;
      }
      parts.push(...sounds);
      onProgress(((i + 1) / utterances.length) * (reading.music ? 0.7 : 0.95));
    }
    const spoken = normalise(concatenate(parts), 0.86);
    checkpoint();
    const sound = reading.music ? withMusic(spoken, prompt, params) : spoken;
    return [{ bytes: toWav(sound), mimeType: "audio/wav", durationSeconds: sound.length / SAMPLE_RATE }];
  };
}

async function render(utterance: Utterance, params: Params, { pace, pauses }: Reading): Promise<Sound[]> {
  if (utterance.kind === "notes") return [play(utterance.pitches)];
  const voice = params["voice"];
  const spoken = await speak(utterance.text, {
    voice: VOICES.find((name) => name === voice) ?? FORMER_VOICES.get(voice) ?? VOICES[0],
    speed: numberParam(params, "speed", 1, 0.25, 4) * pace,
    pitch: numberParam(params, "pitch", 1, 0.25, 4),
  });
  return spoken ? [fadeEnds(spoken, 0.008), silence(utterance.pauseSeconds * pauses)] : [play([0.5])];
}

function play(pitches: readonly number[]): Sound {
  const melody = silence(0.26 * pitches.length + 0.9);
  pitches.forEach((pitch, i) => mixInto(melody, bell(noteHz(Math.round(pitch * 9)), 0.9), i * 0.26, 0.7));
  return melody;
}

/** `step` counts upwards through the scale from the G above middle C. */
function noteHz(step: number): number {
  const semitones = Math.floor(step / SCALE.length) * 12 + (SCALE[step % SCALE.length] ?? 0);
  return 392 * 2 ** (semitones / 12);
}

/** A chime, then the voice over chords that change every few seconds, then the chime again. */
function withMusic(spoken: Sound, prompt: string, params: Params): Sound {
  const loudness = numberParam(params, "music", 0.5, 0, 1);
  const random = createRandom(`${prompt}\n${takeSeed(params)}`);
  const [opening, closing] = [1.6, 2.4];
  const sound = silence(opening + spoken.length / SAMPLE_RATE + closing);
  mixInto(sound, spoken, opening, 1);
  const seconds = sound.length / SAMPLE_RATE;
  const rootHz = 110 * 2 ** (Math.floor(random.between(-3, 5)) / 12);
  const chordSeconds = random.between(4.2, 5.6);
  const first = Math.floor(random.between(0, CHORDS.length));
  // Each chord is rendered once, however long the text is.
  const chords = CHORDS.map((semitones) =>
    pad(
      semitones.map((step) => rootHz * 2 ** (step / 12)),
      chordSeconds + 1.2,
    ),
  );
  for (let i = 0; i * chordSeconds < seconds; i++) {
    const chord = chords[(first + i) % chords.length];
    if (chord) mixInto(sound, chord, i * chordSeconds, 0.24 * loudness);
  }
  for (const at of [0.1, seconds - closing + 0.2]) {
    for (const [i, step] of [12, 19, 24].entries())
      mixInto(sound, bell(rootHz * 2 * 2 ** (step / 12), 1.9), at + i * 0.16, 0.22 * loudness);
  }
  return fadeEnds(normalise(sound, 0.9), 0.4);
}
