const digits = /^[0-9a-fA-F]*$/;
/** In a process that has compiled many patterns, V8 needs stack for each character of a repetition, and overflows it at 16 MB. */
const pieceLength = 64 * 1024;

/** Whether a text of any length is bytes in hexadecimal, without 0x. */
export function isHexBytes(text: string): boolean {
  for (let at = 0; at < text.length; at += pieceLength) {
    if (!digits.test(text.slice(at, at + pieceLength))) return false;
  }
  return text.length % 2 === 0;
}
