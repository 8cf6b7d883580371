import { packText, unpackText } from '../text/packedText.ts';

/** What is packed in objects of etcd has at most 1.5 MB. */
const maxUnpackedBytes = 128 * 1024 * 1024;

/** Lines of JSON as objects store them: base64 of gzip. */
export function packLines(lines: readonly string[]): Promise<string> {
  return packText(lines.join('\n'));
}

/** The inverse of `packLines`. Rejects when the lines have more than 128 MiB. */
export async function unpackLines(data: string): Promise<string[]> {
  const text = await unpackText(data, maxUnpackedBytes);
  return text.length === 0 ? [] : text.split('\n');
}
