/**
 * The UTF-8 of a text in memory of its own, for bytes that are kept. What `Buffer.from` returns for a short text is a
 * slice of a block of 64 kB, and all of the block stays in memory as long as the slice.
 */
export function keptBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** A text in memory of its own: a part of another text keeps all of that one in memory. */
export function keptText(text: string): string {
  return Buffer.from(text).toString();
}
