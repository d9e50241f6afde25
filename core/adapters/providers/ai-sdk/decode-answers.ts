// Decodes a model's base64 responses before the SDK sees them: the SDK would keep the text next to the bytes and make a third copy, so that
// a large response took several times its size while it is being stored.

/** The model with bytes in its answers instead of base64. Invalid base64 is left for the SDK to report. */
export function decodeAnswers<Model extends object>(model: Model): Model {
  return new Proxy(model, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      // Bound, because models keep private fields.
      const method = value.bind(target) as (...args: unknown[]) => unknown;
      if (name !== "doGenerate" && name !== "doStatus") return method;
      return async (...args: unknown[]) => decodeAnswer((await method(...args)) as Answer);
    },
  });
}

/** The answer of an image, speech or video model; the fields of the other kinds are missing. */
type Answer = {
  images?: (string | Uint8Array)[];
  audio?: string | Uint8Array;
  videos?: { type: string; data?: string | Uint8Array }[];
};

function decodeAnswer(answer: Answer): Answer {
  const { images, audio, videos } = answer;
  return {
    ...answer,
    ...(images && decodeAll(images)),
    ...(audio !== undefined && { audio: decode(audio) }),
    ...(videos && { videos: videos.map(decodeVideo) }),
  };
}

/** All or none, as the SDK requires. */
function decodeAll(images: (string | Uint8Array)[]): Pick<Answer, "images"> {
  const decoded = images.map(decode);
  return { images: decoded.some((image) => typeof image === "string") ? images : decoded };
}

function decodeVideo(video: { type: string; data?: string | Uint8Array }) {
  if (video.type !== "base64" || video.data === undefined) return video;
  const data = decode(video.data);
  return typeof data === "string" ? video : { ...video, type: "binary", data };
}

function decode(data: string | Uint8Array): string | Uint8Array {
  if (typeof data !== "string") return data;
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  const bytes = Buffer.from(data, "base64");
  // Buffer skips what is not base64, and the result is shorter.
  return bytes.length === Math.floor(((data.length - padding) * 3) / 4) ? bytes : data;
}
