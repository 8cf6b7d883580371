/**
 * Maps addresses of the recording to those of the replay. An address is 20 bytes of a hash, so these bytes practically
 * never occur with another meaning. They are searched at every byte, not only at the ends of 32-byte words, because
 * constructor arguments follow code of any length, and packed data has no words.
 */
export interface AddressMap {
  set(recorded: string, replayed: string): void;
  /** Undefined while unknown. */
  get(recorded: string): string | undefined;
  /** Data (0x and hexadecimal digits) with every known address replaced and the rest unchanged. */
  rewrite(data: string): string;
}

const addressDigits = 40;
/** Small numbers, such as precompiled contracts, only look like addresses: they occur in any data. */
const minSignificantBytes = 8;

export function createAddressMap(): AddressMap {
  const replacements = new Map<string, string>();
  return {
    set(recorded, replayed) {
      if (isDistinctive(recorded)) replacements.set(digitsOf(recorded), digitsOf(replayed));
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

/** The addresses of `known` (lower case, without 0x) that occur in the data, each once. */
export function mentionedIn(data: string, known: { has(digits: string): boolean }): string[] {
  return [...new Set([...addressesIn(data, (digits) => known.has(digits))].map(([, digits]) => digits))];
}

/** In lower case, without 0x, as it is searched for in data. */
export function digitsOf(address: string): string {
  return address.slice(2).toLowerCase();
}

/** Whether an address has enough significant bytes not to be a small number. */
export function isDistinctive(address: string): boolean {
  return !digitsOf(address).startsWith('00'.repeat(20 - minSignificantBytes));
}

/** The matching addresses with their offsets in the text; they do not overlap. */
function* addressesIn(
  data: string,
  matches: (digits: string) => boolean,
): Generator<[at: number, digits: string]> {
  const text = data.toLowerCase();
  for (let at = 2; at + addressDigits <= text.length; at += 2) {
    const digits = text.slice(at, at + addressDigits);
    if (!matches(digits)) continue;
    yield [at, digits];
    at += addressDigits - 2;
  }
}
