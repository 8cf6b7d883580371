/**
 * Addresses of the recording in the data of transactions. An address is 20 bytes of a hash, so these bytes practically
 * never occur with another meaning. They are searched at every byte, not only at the ends of 32-byte words, because
 * constructor arguments follow code of any length, and packed data has no words.
 */

const addressDigits = 40;
/** Small numbers, such as precompiled contracts, only look like addresses: they occur in any data. */
const minSignificantBytes = 8;

/** The replacement of an address, both in lower case and without 0x; undefined for one that stays. */
type Lookup = (digits: string) => string | undefined;

/** Data (0x and hexadecimal digits) with every address that has a replacement replaced, and the rest unchanged. */
export function rewrite(data: string, lookup: Lookup): string {
  const parts: string[] = [];
  let copied = 0;
  for (const [at, digits] of addressesIn(data, (candidate) => lookup(candidate) !== undefined)) {
    parts.push(data.slice(copied, at), lookup(digits) ?? digits);
    copied = at + addressDigits;
  }
  return copied === 0 ? data : `${parts.join('')}${data.slice(copied)}`;
}

/** The addresses of `known` (lower case, without 0x) that occur in the data, each once. */
export function mentionedIn(data: string, known: { has(digits: string): boolean }): string[] {
  return [...new Set([...addressesIn(data, (digits) => known.has(digits))].map(([, digits]) => digits))];
}

/** In lower case, without 0x, as it is searched for in data. */
export function digitsOf(address: string): string {
  return address.slice(2).toLowerCase();
}

/** Whether the digits of an address have enough significant bytes not to be a small number. */
export function isDistinctive(digits: string): boolean {
  return !digits.startsWith('00'.repeat(20 - minSignificantBytes));
}

/** The matching addresses with their offsets in the text; they do not overlap. */
function* addressesIn(
  data: string,
  matches: (digits: string) => boolean,
): Generator<[at: number, digits: string]> {
  const text = data.toLowerCase();
  for (let at = 2; at + addressDigits <= text.length; at += 2) {
    const digits = text.slice(at, at + addressDigits);
    if (!matches(digits) || !isDistinctive(digits)) continue;
    yield [at, digits];
    at += addressDigits - 2;
  }
}
