// Text inside a regular expression, without the meaning that signs have there.
export function asItStands(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
