import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** What is packed in objects of etcd has at most 1.5 MB, but may unpack to a thousand times as much. */
const maxUnpackedBytes = 128 * 1024 * 1024;

/** Lines of JSON as objects store them: base64 of gzip. */
export async function packLines(lines: readonly string[]): Promise<string> {
  return (await zip(lines.join('\n'))).toString('base64');
}

/** The inverse of `packLines`. Rejects when the lines have more than 128 MiB. */
export async function unpackLines(data: string): Promise<string[]> {
  const bytes = await unzip(Buffer.from(data, 'base64'), { maxOutputLength: maxUnpackedBytes });
  return bytes.length === 0 ? [] : bytes.toString('utf8').split('\n');
}
