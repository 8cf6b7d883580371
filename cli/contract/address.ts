import { hasValidChecksum } from '../../core/lib/text/eip55.ts';
import { fail } from '../lib/failure.ts';

/** Throws for anything but an address: a name could be meant for something else. */
export function requireAddress(text: string, what = ''): void {
  const place = what === '' ? '' : `${what} `;
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    throw fail(
      'usage',
      text === '' ? 'The address is missing.' : `${place}"${text}" is not an address.`,
      'Write 0x and 40 hexadecimal digits; to deploy a contract, add --create ARTIFACT.',
    );
  }
  if (hasValidChecksum(text)) return;
  throw fail(
    'usage',
    `${place}${text} has a wrong checksum.`,
    'A character is mistyped, or the case of a letter: check it, or write it in small letters.',
  );
}
