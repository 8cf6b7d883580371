/**
 * Which address of the recording is which in the replay. An address is 20 bytes of a hash: that such bytes stand for
 * anything else does not happen. So they are looked for at every byte, not only at the ends of 32-byte words:
 * constructor arguments follow code of any length, and packed data has no words at all.
 */
export interface AddressMap {
  set(recorded: string, replayed: string): void;
  /** Undefined while it is not known. */
  get(recorded: string): string | undefined;
  /** Data (0x and hexadecimal digits) with every known address replaced; all else as it is. */
  rewrite(data: string): string;
}

const addressDigits = 40;
/** Small numbers, such as precompiled contracts, are addresses by form alone: they are in any data. */
const fewestBytes = 8;

export function createAddressMap(): AddressMap {
  const replacements = new Map<string, string>();
  return {
    set(recorded, replayed) {
      if (isTelling(recorded)) replacements.set(digitsOf(recorded), digitsOf(replayed));
    },
    get(recorded) {
      const found = replacements.get(digitsOf(recorded));
      return found === undefined ? undefined : `0x${found}`;
    },
    rewrite(data) {
      if (replacements.size === 0) return data;
      const parts: string[] = [];
      let copied = 0;
      for (const [at, digits] of addressesIn(data, (candidate) => replacements.has(candidate))) {
        parts.push(data.slice(copied, at), replacements.get(digits) ?? digits);
        copied = at + addressDigits;
      }
      parts.push(data.slice(copied));
      return parts.join('');
    },
  };
}

/** Those of `known` (lower case, without 0x) that are in the data, each once. */
export function mentionedIn(data: string, known: { has(digits: string): boolean }): string[] {
  return [...new Set([...addressesIn(data, (digits) => known.has(digits))].map(([, digits]) => digits))];
}

/** In lower case, without 0x: as data is searched. */
export function digitsOf(address: string): string {
  return address.slice(2).toLowerCase();
}

/** Whether the bytes of an address are its own. */
export function isTelling(address: string): boolean {
  return !digitsOf(address).startsWith('00'.repeat(20 - fewestBytes));
}

/** What fits, with its place in the text; none overlaps another. */
function* addressesIn(
  data: string,
  fits: (digits: string) => boolean,
): Generator<[at: number, digits: string]> {
  const text = data.toLowerCase();
  for (let at = 2; at + addressDigits <= text.length; at += 2) {
    const digits = text.slice(at, at + addressDigits);
    if (!fits(digits)) continue;
    yield [at, digits];
    at += addressDigits - 2;
  }
}
