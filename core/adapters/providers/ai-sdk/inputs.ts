// The files of a request in the form that the SDK accepts. The names of the params say which is which.
import type { experimental_generateVideo as generateVideo, generateImage } from "ai";
import type { ProviderCall, ProviderRequest } from "../provider.ts";
import { readInputs } from "../read-inputs.ts";

type ImageAsked = Pick<Parameters<typeof generateImage>[0], "prompt">;
type VideoAsked = Pick<Parameters<typeof generateVideo>[0], "prompt" | "frameImages" | "inputReferences">;
type Request = Pick<ProviderRequest, "prompt" | "params">;
type Call = Pick<ProviderCall, "inputs" | "reserveMemory">;

/** `asked` goes into the SDK's call; `addresses` go to the provider under the params' own names. */
export type GivenInputs<Asked> = { asked: Asked; addresses: Readonly<Record<string, string>> };

/** `mask` says where a picture may change; all other pictures are the ones to change, in the order of the params. */
export async function imageInputs({ prompt }: Request, call: Call): Promise<GivenInputs<ImageAsked>> {
  const { fitting, addresses } = sortOut(call, ["image"]);
  if (fitting.length === 0) return { asked: { prompt }, addresses };
  const files = await readInputs(call, fitting);
  const mask = files.get("mask");
  const images = fitting.flatMap((name) => (name === "mask" ? [] : (files.get(name) ?? [])));
  return { asked: { prompt: { text: prompt, images, ...(mask && { mask }) } }, addresses };
}

/**
 * The first picture is the start of the clip, `last_frame` its end. Further pictures and clips, and those whose names begin with
 * `reference`, are references.
 */
export async function videoInputs({ prompt }: Request, call: Call): Promise<GivenInputs<VideoAsked>> {
  const { fitting, addresses } = sortOut(call, ["image", "video"]);
  if (fitting.length === 0) return { asked: { prompt }, addresses };
  const files = await readInputs(call, fitting);
  const last = files.get("last_frame");
  const first = fitting.find(
    (name) => name !== "last_frame" && !name.startsWith("reference") && kindOf(call, name) === "image",
  );
  const image = first === undefined ? undefined : files.get(first);
  const references = fitting.flatMap((name) => {
    const data = name === first || name === "last_frame" ? undefined : files.get(name);
    const mediaType = call.inputs.get(name)?.mimeType;
    return data ? [{ data, ...(mediaType !== undefined && { mediaType }) }] : [];
  });
  return {
    asked: {
      prompt: image ? { text: prompt, image } : prompt,
      ...(last && { frameImages: [{ image: last, frameType: "last_frame" }] }),
      ...(references.length > 0 && { inputReferences: references }),
    },
    addresses,
  };
}

/** For models to which the SDK passes no files: the provider fetches them itself. */
export function otherInputs(call: Call): Readonly<Record<string, string>> {
  return sortOut(call, []).addresses;
}

function sortOut({ inputs }: Call, kinds: readonly string[]) {
  const all = [...inputs];
  const isFitting = ([name]: readonly [string, unknown]) => kinds.includes(kindOf({ inputs }, name));
  return {
    fitting: all.filter(isFitting).map(([name]) => name),
    addresses: Object.fromEntries(
      all.filter((input) => !isFitting(input)).map(([name, { url }]) => [name, url]),
    ),
  };
}

function kindOf({ inputs }: Pick<Call, "inputs">, name: string): string {
  return inputs.get(name)?.mimeType.split("/")[0] ?? "";
}
