import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Base64 of gzip: how objects store long texts. */
export async function packText(text: string): Promise<string> {
  return (await zip(text)).toString('base64');
}

/**
 * The inverse of `packText`, on a thread of its own. Rejects when the text has more bytes than `maxBytes`: what is packed
 * may unpack to a thousand times as much.
 */
export async function unpackText(data: string, maxBytes: number): Promise<string> {
  const bytes = await unzip(Buffer.from(data, 'base64'), { maxOutputLength: maxBytes });
  return bytes.toString('utf8');
}
