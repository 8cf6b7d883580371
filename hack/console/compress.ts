import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { encodedEndings } from '../../apiserver/console/files.ts';

/** Writes a file's compressed forms beside it. Browsers get what is smaller; a proxy need not compress. */
export function compress(path: string): void {
  const body = readFileSync(path);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(path + encodedEndings.br, brotliCompressSync(body, { params: quality }));
  writeFileSync(path + encodedEndings.gzip, gzipSync(body, { level: 9 }));
}
