// Colours, and how to mix and judge them.

/** `#rrggbb`. */
export type Color = string;

/** `amount` 0 is all of the first, 1 all of the second. */
export function mix(from: Color, to: Color, amount: number): Color {
  const others = channels(to);
  const mixed = channels(from).map((channel, i) =>
    Math.round(channel + ((others[i] ?? 0) - channel) * amount),
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** 0 is black, 1 white. */
export function lightness(color: Color): number {
  const [red = 0, green = 0, blue = 0] = channels(color);
  return (0.3 * red + 0.59 * green + 0.11 * blue) / 255;
}

/** 0 is grey. */
export function saturation(color: Color): number {
  return (Math.max(...channels(color)) - Math.min(...channels(color))) / 255;
}

/** Red, green and blue, 0..255. */
export function channels(color: Color): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
