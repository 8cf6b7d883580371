/** The id of most calls: a short text, or a number that every parser reads the same way. */
const plain = /^(null|"[^"\\\\]*"|-?(0|[1-9][0-9]{0,17}))$/;

/**
 * Why anvil cannot give back an id, given as JSON text: it answers fractions, exponents and numbers beyond 64 bits with the id
 * null, and a whole batch with one error.
 */
export function lightIdFault(id: string): string | undefined {
  if (plain.test(id) || id.startsWith('"')) return undefined;
  if (/^-?[0-9]{1,19}$/.test(id) && BigInt(id) >= -(2n ** 63n) && BigInt(id) < 2n ** 63n) return undefined;
  return '"id" must be a string, or an integer from -2^63 to 2^63 - 1, on this network';
}
