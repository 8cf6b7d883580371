/**
 * What declares a function, an event or an error, as somebody else may write it. ethers takes a time for nested types that grows with more
 * than the square of their depth, so both are bounded; no compiler's output comes near.
 */
export const maxDeclaration = 4_096;
const maxDepth = 16;
/** In the texts of one ABI together. Entries that are objects are read faster. */
const maxLetters = 16_384;
const maxEntries = 4096;
const maxTypeLength = 128;

/** Throws Error, in words for the user, for a declaration that is too long or too deep. */
export function checkDeclaration(text: string): void {
  if (text.length <= maxDeclaration && depthOf(text) <= maxDepth) return;
  throw new Error(
    `a declaration has at most ${maxDeclaration} characters, and ${maxDepth} levels of parentheses and brackets: this one has more`,
  );
}

/** How deep the types of a declaration are nested: in parentheses, and by the dimensions of arrays. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let dimensions = 0;
  for (const letter of text) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === '[') dimensions += 1;
    else if (!/[\]\d]/.test(letter)) dimensions = 0;
    deepest = Math.max(deepest, depth + dimensions);
  }
  return deepest;
}

/** The entries of an ABI that are within the same bounds, and no more than any contract has. */
export function declarableOf(abi: readonly unknown[]): unknown[] {
  let letters = maxLetters;
  return abi.slice(0, maxEntries).filter((entry) => {
    const length = typeof entry === 'string' ? entry.length : 0;
    if (length > letters || !isDeclarable(entry)) return false;
    letters -= length;
    return true;
  });
}

/** What a message says of an ABI in which something was not found: nothing, unless entries of it are left out. */
export function leftOutOf(abi: readonly unknown[]): string {
  const count = abi.length - declarableOf(abi).length;
  if (count === 0) return '';
  const entries = count === 1 ? '1 entry' : `${count} entries`;
  return `; ${entries} of its ABI are not read: an ABI has at most ${maxEntries} entries, of which texts have at most ${maxLetters} characters together`;
}

function isDeclarable(entry: unknown, depth = 0): boolean {
  if (typeof entry === 'string') return entry.length <= maxDeclaration && depthOf(entry) <= maxDepth;
  if (typeof entry !== 'object' || entry === null) return false;
  if (depth > maxDepth) return false;
  const { type, ...others } = entry as Record<string, unknown>;
  const isShort = typeof type !== 'string' || (type.length <= maxTypeLength && depthOf(type) <= maxDepth);
  return (
    isShort && [others.inputs, others.outputs, others.components].every((list) => areDeclarable(list, depth))
  );
}

const areDeclarable = (list: unknown, depth: number): boolean =>
  !Array.isArray(list) || list.every((one) => isDeclarable(one, depth + 1));
