// Page cursors: opaque to clients, so that what they point at may change.

/** Base64url of a marker and the position. */
export function encodeCursor(position: string): string {
  return Buffer.from(`c1:${position}`).toString("base64url");
}

/** The position, or an empty string when this is not a cursor of ours. */
export function decodeCursor(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  return text.startsWith("c1:") ? text.slice("c1:".length) : "";
}
