/** How the bytecode of a contract compares with what its sources compile to, by the words of Sourcify. */
export type Match = 'exact_match' | 'match';

interface Range {
  start: number;
  length: number;
}

/** Bytecode from the compiler: hexadecimal without 0x. */
export interface CompiledCode {
  object: string;
  /** Where the constructor puts the values of immutables, by their id. */
  immutableReferences?: Record<string, Range[]>;
}

/** A hash of the sources in the CBOR metadata at the end of the code: the keys `ipfs`, `bzzr0` and `bzzr1`. */
const sourceHash = /6[45](?:697066735822|627a7a7230582|627a7a7231582)/;
/** The runtime code of a library begins with its own address, which is zero until it is deployed. */
const libraryStart = /^73(0{40})3014/;

/** The code on the chain, 0x-prefixed, against the compiled one; undefined if they differ. */
export function compareRuntime(onChain: string, compiled: CompiledCode): Match | undefined {
  const mask = createMask(compiled);
  const ours = mask(compiled.object.toLowerCase());
  const theirs = mask(onChain.slice(2).toLowerCase());
  if (ours.length === 0) return undefined;
  if (ours === theirs) return matchOf(ours);
  const [body, other] = [ours, theirs].map(splitMetadata);
  const isSame = body?.metadata !== '' && body?.code === other?.code && other?.metadata !== '';
  return isSame ? 'match' : undefined;
}

/** The input of a creating transaction, 0x-prefixed, against the compiled creation code and what may follow it. */
export function compareCreation(
  input: string,
  { object, hasArguments }: { object: string; hasArguments: boolean },
): { match: Match; constructorArguments: string } | undefined {
  const ours = object.toLowerCase();
  const theirs = input.slice(2).toLowerCase();
  const rest = theirs.slice(ours.length);
  if (ours.length === 0 || theirs.length < ours.length || (rest !== '' && !hasArguments)) return undefined;
  const constructorArguments = `0x${rest}`;
  if (theirs.startsWith(ours)) return { match: matchOf(ours), constructorArguments };
  const { code, metadata } = splitMetadata(ours);
  const other = splitMetadata(theirs.slice(0, ours.length));
  const isSame = metadata !== '' && other.metadata.length === metadata.length && other.code === code;
  return isSame ? { match: 'match', constructorArguments } : undefined;
}

/** Without a hash of the sources in it, equal code does not tell what the sources were. */
function matchOf(code: string): Match {
  return sourceHash.test(splitMetadata(code).metadata) ? 'exact_match' : 'match';
}

/** Splits off the metadata: a CBOR map at the end, whose length the last two bytes say. Empty if there is none. */
function splitMetadata(code: string): { code: string; metadata: string } {
  const length = Number.parseInt(code.slice(-4), 16) * 2 + 4;
  const start = code.length - length;
  const isMap = start > 0 && /^[ab]/.test(code.slice(start, start + 1));
  return isMap ? { code: code.slice(0, start), metadata: code.slice(start) } : { code, metadata: '' };
}

/** Puts zeros where each deployment of the same sources has its own values. */
function createMask({ object, immutableReferences = {} }: CompiledCode): (code: string) => string {
  const ranges = Object.values(immutableReferences).flat();
  if (libraryStart.test(object)) ranges.push({ start: 1, length: 20 });
  return (code) => {
    // In place: there may be thousands of ranges.
    const digits = Buffer.from(code, 'latin1');
    for (const { start, length } of ranges) {
      const end = (start + length) * 2;
      if (end <= digits.length) digits.fill('0', start * 2, end);
    }
    return digits.toString('latin1');
  };
}
