import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

/** A text that a pattern may need long for: `before`, `repeated` as often as it fits, `after`. */
export interface Attack {
  before: string;
  repeated: string;
  after: string;
}

/** The text of an attack, of about a length. */
export function textOf({ before, repeated, after }: Attack, length: number): string {
  return before + repeated.repeat(Math.ceil(length / repeated.length)) + after;
}

/** Few are enough: what matters is which parts of a pattern match the same text. */
const maxSamples = 6;
const maxPaired = 12;
/** A bounded repetition is sampled with its minimum, as far as it is not huge. */
const longestMinimum = 64;

/**
 * Texts made of the pattern's own parts. A search is slow where one text can be matched in many ways, or where many searches begin in
 * it that all fail at its end: so what repetitions match is repeated, alone and with what stands before it, behind what leads to
 * the repetition, and with an end that nothing matches.
 */
export function attacksOn(regex: RegExp): Attack[] {
  const pattern = new RegExpParser().parsePattern(regex.source, 0, regex.source.length, {
    unicode: regex.unicode,
    unicodeSets: regex.unicodeSets,
  });
  const { letters, other } = alphabetOf(pattern, regex);
  const sample = createSampler(letters, regex);
  // What may be missing is there, and then it is not.
  const samples = [sample, createSampler(letters, regex, true)];
  const loops = loopsIn(pattern);
  const leads = samples.flatMap((one) => loops.map((loop) => leadTo(loop, one)));
  const repeated = new Set(samples.flatMap((one) => loops.flatMap((loop) => partsOf(loop, one))));
  const inLoops = [...new Set(loops.flatMap(({ element }) => sample(element)))].slice(0, maxPaired);
  for (const text of [...sample(pattern), ...letters, ...pairsOf(inLoops)]) repeated.add(text);
  // A loop ends where a letter does not match it, which another part of the pattern may.
  const ends = loops.flatMap(
    ({ element }) => letters.find((letter) => !testOf(element, regex).test(letter)) ?? [],
  );
  const befores = new Set(['', other, ...leads]);
  const afters = new Set(['', other, `${other}\n`, `\n${other}`, ...ends]);
  const distinct = new Set([...repeated].map(rootOf));
  return [...distinct].filter((text) => text !== '').flatMap((text) => combine(befores, text, afters));
}

/** The shortest text that gives the same one when it is repeated. */
function rootOf(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1));
}

/** Whether a pattern has a repetition without a bound: without one, a search takes at most as long at each character. */
export function hasLoop({ source, unicode, unicodeSets }: RegExp): boolean {
  const flags = { unicode, unicodeSets };
  return loopsIn(new RegExpParser().parsePattern(source, 0, source.length, flags)).length > 0;
}

/** What may be repeated because of a loop: what it matches, alone and behind what stands before it. */
function partsOf(loop: AST.Quantifier, sample: Sample): string[] {
  const own = sample(loop.element);
  const lead = leadTo(loop, sample);
  const gap = gapBefore(loop, sample);
  return [...own.flatMap((text) => [text, lead + text, gap + text]), ...pairsOf(own), lead, gap];
}

function combine(befores: Iterable<string>, repeated: string, afters: Iterable<string>): Attack[] {
  return [...befores].flatMap((before) => [...afters].map((after) => ({ before, repeated, after })));
}

function pairsOf(texts: readonly string[]): string[] {
  return texts.flatMap((one) => texts.map((another) => one + another));
}

const isLoop = (node: AST.Node): boolean =>
  node.type === 'Quantifier' && node.max === Number.POSITIVE_INFINITY;

/** Repetitions without an upper bound. */
function loopsIn(pattern: AST.Pattern): AST.Quantifier[] {
  const loops: AST.Quantifier[] = [];
  visitRegExpAST(pattern, {
    onQuantifierEnter(node) {
      if (isLoop(node)) loops.push(node);
    },
  });
  return loops;
}

/** Printable ASCII, control characters, and characters outside of ASCII with meanings of their own. */
const common = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  'é',
  '…',
  '\u2028',
  '\u0085',
  '😀',
];

/** One letter for each set of parts of the pattern that match it, and one that no part matches. */
function alphabetOf(pattern: AST.Pattern, regex: RegExp): { letters: string[]; other: string } {
  const parts: ((letter: string) => boolean)[] = [];
  const own = new Set<string>();
  const addPart = (node: { raw: string }) => {
    const part = testOf(node, regex);
    parts.push((letter) => part.test(letter));
  };
  visitRegExpAST(pattern, {
    onCharacterEnter: (node) => void own.add(String.fromCodePoint(node.value)),
    onCharacterClassEnter: addPart,
    onCharacterSetEnter: addPart,
  });
  // Assertions look at the ends of lines.
  for (const one of [...own, '\n', '\r']) parts.push((letter) => letter === one);
  const byParts = new Map<string, string>();
  // The first ones get into samples.
  for (const letter of ['a', '0', ' ', '\n', ...own, ...common]) {
    const key = parts.map((isMatch) => (isMatch(letter) ? 1 : 0)).join('');
    if (!byParts.has(key)) byParts.set(key, letter);
  }
  const none = parts.map(() => 0).join('');
  const other = byParts.get(none) ?? '\u0000';
  byParts.delete(none);
  return { letters: [...byParts.values()], other };
}

/** Matches a text that is one part of the pattern alone. */
function testOf({ raw }: { raw: string }, { flags }: RegExp): RegExp {
  return new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''));
}

type Sample = (node: AST.Node) => string[];

/** Texts that a part of a pattern matches, as far as its assertions allow it. */
function createSampler(letters: readonly string[], regex: RegExp, isSparse = false): Sample {
  const sampleOf: Sample = (node) => [...new Set(textsOf(node))].slice(0, maxSamples);

  function textsOf(node: AST.Node): string[] {
    switch (node.type) {
      case 'Character':
        return [String.fromCodePoint(node.value)];
      case 'CharacterSet':
      case 'CharacterClass':
        return letters.filter((letter) => testOf(node, regex).test(letter));
      case 'Alternative':
        return joined(node.elements.map(sampleOf));
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return inTurns(node.alternatives.map(sampleOf));
      case 'Quantifier': {
        const count = Math.min(Math.max(node.min, isSparse ? 0 : Math.min(node.max, 1)), longestMinimum);
        return sampleOf(node.element).map((text) => text.repeat(count));
      }
      case 'Assertion':
        return 'alternatives' in node ? ['', ...node.alternatives.flatMap(sampleOf)] : [''];
      default:
        return [''];
    }
  }

  return sampleOf;
}

/** The first one of each, then the second one of each. */
function inTurns(all: readonly string[][]): string[] {
  return Array.from({ length: maxSamples }, (_, at) =>
    all.flatMap((texts) => texts.slice(at, at + 1)),
  ).flat();
}

/** The first text of each part, and each time with another text of one part. */
function joined(parts: readonly string[][]): string[] {
  const first = parts.map(([text = '']) => text);
  const others = parts.flatMap((texts, at) => texts.slice(1).map((text) => first.with(at, text).join('')));
  return [first.join(''), ...others];
}

/** What the pattern matches between the loop before this one and this one. */
function gapBefore(loop: AST.Quantifier, sample: Sample): string {
  const { parent } = loop;
  if (parent.type !== 'Alternative') return '';
  const before = parent.elements.filter(({ end }) => end <= loop.start);
  const between = before.slice(before.findLastIndex(isLoop) + 1);
  return between.map((element) => sample(element)[0] ?? '').join('');
}

/** What the pattern matches before a loop. */
function leadTo(node: AST.Node, sample: Sample): string {
  const { parent } = node;
  if (!parent) return '';
  if (parent.type !== 'Alternative') return leadTo(parent, sample);
  const before = parent.elements.filter(({ end }) => end <= node.start);
  return leadTo(parent, sample) + before.map((element) => sample(element)[0] ?? '').join('');
}
