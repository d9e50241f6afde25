// Escapes text for use in a regular expression.
export function asItStands(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
