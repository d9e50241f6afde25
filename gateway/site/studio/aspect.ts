// The shape of what is made, chosen by one press in place of two numbers. Each is about as large as the default of the model.
import type { JsonObject } from "../../../runtime/json-object.ts";
import type { Param } from "./params.ts";

export type Aspect = {
  /** As the form sends it: 1024x768. */
  readonly value: string;
  readonly name: string;
  readonly ratio: string;
  readonly width: number;
  readonly height: number;
};

/** Name of the form's field. */
export const ASPECT_FIELD = "aspect";
/** Its value where width and height were typed. */
export const OWN_SIZE = "own";

const RATIOS = [
  { name: "Square", of: [1, 1] },
  { name: "Landscape", of: [4, 3] },
  { name: "Wide", of: [16, 9] },
  { name: "Portrait", of: [3, 4] },
  { name: "Tall", of: [9, 16] },
] as const;
const SIZE = /^(\d{1,5})x(\d{1,5})$/;

/** Those that fit; none where the model takes no width and height, or does not say how large it makes things. */
export function aspectsOf(params: readonly Param[]): readonly Aspect[] {
  const [wide, high] = [sideOf(params, "width"), sideOf(params, "height")];
  if (!wide || !high) return [];
  const area = wide.usual * high.usual;
  return RATIOS.flatMap(({ name, of: [w, h] }) => {
    // As many whole times the ratio as fit, so that it is exact.
    const times = Math.min(Math.sqrt(area / (w * h)), wide.most / w, high.most / h);
    const step = stepOf(w, wide.step) * stepOf(h, high.step);
    const whole = Math.floor(times / step) * step;
    const [width, height] = [whole * w, whole * h];
    if (width < wide.least || height < high.least) return [];
    return [{ value: sizeText(width, height), name, ratio: `${w}:${h}`, width, height }];
  });
}

/** The two params as a form's choice says them; undefined where it says none. */
export function chosenSize(value: string): { width: string; height: string } | undefined {
  const [, width = "", height = ""] = SIZE.exec(value) ?? [];
  return width === "" ? undefined : { width, height };
}

export function sizeText(width: number | string, height: number | string): string {
  return `${width}x${height}`;
}

type Side = { usual: number; least: number; most: number; step: number };

function sideOf(params: readonly Param[], name: string): Side | undefined {
  const param = params.find((one) => one.name === name);
  const number = (key: keyof JsonObject, otherwise: number) =>
    typeof param?.schema[key] === "number" ? param.schema[key] : otherwise;
  const usual = number("default", 0);
  return usual > 0
    ? {
        usual,
        least: number("minimum", 1),
        most: number("maximum", usual),
        step: Math.max(1, Math.round(number("multipleOf", 1))),
      }
    : undefined;
}

/** By how much the ratio has to be taken for a side to be a multiple of the step. */
function stepOf(part: number, step: number): number {
  return part % step === 0 ? 1 : step;
}
