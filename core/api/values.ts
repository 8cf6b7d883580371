import { z } from 'zod';
import { hasValidChecksum } from '../lib/text/eip55.ts';
import { isHexBytes } from '../lib/text/hexBytes.ts';

/** Values of EVM chains in the API: strings, so that no precision is lost. */

export const addressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'use an address: 0x and 40 hexadecimal digits', abort: true })
  .describe('Address: 0x and 40 hexadecimal digits.');

/** An address in a path. Any text: what is not an address is refused with the reason, which paths that a schema refuses do not get. */
export const pathAddressSchema = z.string().max(64).meta({ pattern: '^0x[0-9a-fA-F]{40}$' });

export const zeroAddress = `0x${'0'.repeat(40)}`;

/** An address that something is done with: one that was mistyped is refused, where it has a checksum. */
export const usedAddressSchema = addressSchema.refine(
  hasValidChecksum,
  'has a wrong checksum (EIP-55): check it, or write all its letters in lower case',
);

/** Somebody who gets, owns or signs, or a contract that is called. */
export const ownedAddressSchema = usedAddressSchema.refine(
  (address) => address !== zeroAddress,
  'must not be the zero address',
);

export const hashSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'use a hash: 0x and 64 hexadecimal digits')
  .describe('Transaction hash.');

export const hexDataSchema = z
  .string()
  .refine(
    (text) => text.startsWith('0x') && isHexBytes(text.slice(2)),
    'use bytes in hexadecimal: 0x and an even number of digits',
  )
  .meta({ pattern: '^0x([0-9a-fA-F]{2})*$' });

const maxUint256 = 2n ** 256n - 1n;

/** A uint256: decimal or 0x-prefixed hexadecimal text. */
export const uint256Schema = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$/, {
    error: 'use a decimal number, or 0x and hexadecimal digits, without sign or leading zeros',
    abort: true,
  })
  .refine((text) => BigInt(text) <= maxUint256, 'must not be larger than 2^256-1');

/** A decimal uint256: token supplies. */
export const supplySchema = z
  .string()
  .max(78, 'must not be larger than 2^256-1')
  .regex(/^(0|[1-9][0-9]{0,77})$/, {
    error: 'use a decimal number without sign or leading zeros',
    abort: true,
  })
  .refine((text) => BigInt(text) <= maxUint256, 'must not be larger than 2^256-1');

/** An object's id in a path, body or query: any text, because an unknown id is 404 whatever its format. */
export const idSchema = z.string().min(1).max(253);
