/**
 * What a flag of a client takes. A value reaches the client only as its type writes it, never as the user wrote it, and no
 * type writes a character that a shell or another parser could take for syntax.
 */
export interface FlagType {
  /** For people: goes on from "takes". */
  takes: string;
  /** A value that it takes; undefined if it stands alone. */
  example?: string;
  /** Whether it may stand alone: then the word after it is not its value. */
  isSwitch: boolean;
  /** What follows the flag, such as `=64`; undefined if it does not take this value. */
  write(value: string | undefined): string | undefined;
  /** What it requires of other flags. */
  rule?: FlagRule;
}

/** How the flags of a client depend on each other: with some values, each of which it takes, it exits. */
export interface FlagRule {
  /** For people: a sentence. */
  says: string;
  /** Why these values do not go together, with the remedy. `numberOf`: the number that a flag is set to, or that it has otherwise. */
  refusalOf(numberOf: (flag: string, otherwise: number) => bigint): string | undefined;
}

export function withRule(type: FlagType, rule: FlagRule): FlagType {
  return { ...type, rule };
}

interface Values {
  takes: string;
  example: string;
  /** The value as the client gets it; undefined if it is not one. */
  read(text: string): string | undefined;
}

function defineValue({ takes, example, read }: Values): FlagType {
  const write = (value: string | undefined) => {
    const text = value === undefined ? undefined : read(value);
    return text === undefined ? undefined : `=${text}`;
  };
  return { takes, example, isSwitch: false, write };
}

/** The largest values of integers in Go, Java and Rust; beyond the last one they have no sign. */
export const largest = {
  int32: 2_147_483_647n,
  uint32: 4_294_967_295n,
  int64: 9_223_372_036_854_775_807n,
  uint64: 18_446_744_073_709_551_615n,
} as const;

/** Decimal and without leading zeros, which some clients take for octal numbers. */
export function wholeNumber(least: number, most: number | bigint): FlagType {
  return defineValue({
    takes: `a whole number from ${least} to ${most}`,
    example: String(least + 1),
    read: (text) => {
      const isNumber = /^(0|[1-9][0-9]{0,19})$/.test(text);
      return isNumber && BigInt(text) >= least && BigInt(text) <= most ? text : undefined;
    },
  });
}

/** A number with up to nine digits on each side of the point. */
export function decimalNumber(most: number): FlagType {
  return defineValue({
    takes: `a number from 0 to ${most}, such as 0.5`,
    example: '0.5',
    read: (text) =>
      /^(0|[1-9][0-9]{0,8})(\.[0-9]{1,9})?$/.test(text) && Number(text) <= most ? text : undefined,
  });
}

/** One of these words; upper and lower case are the same, and the client gets the word as it is here. */
export function oneOf(...words: readonly [string, ...string[]]): FlagType {
  return defineValue({
    takes: `one of ${words.join(', ')}`,
    example: words[0],
    read: (text) => words.find((word) => word.toLowerCase() === text.toLowerCase()),
  });
}

/** A duration as Go writes it (time.ParseDuration), from hours to milliseconds. */
export const goDuration = defineValue({
  takes: 'a duration such as 500ms, 5s or 1h30m',
  example: '1m30s',
  read: (text) =>
    /^(?=[0-9])([0-9]{1,6}h)?([0-9]{1,6}m)?([0-9]{1,6}s)?([0-9]{1,6}ms)?$/.test(text) ? text : undefined,
});

/** Seconds, or milliseconds with the unit `ms`. */
export const secondsOrMillis = defineValue({
  takes: 'seconds, or milliseconds such as 50ms',
  example: '50ms',
  read: (text) => (/^[1-9][0-9]{0,5}(ms)?$/.test(text) ? text : undefined),
});

const units = 'KMGT';

/** A number of bytes with its unit (github.com/c2h5oh/datasize), between two others. */
export function dataSize(least: string, most: string): FlagType {
  const [fewest, greatest] = [bytesOf(least), bytesOf(most)];
  return defineValue({
    takes: `a size from ${least} to ${most}: a whole number and KB, MB, GB or TB`,
    example: least,
    read: (text) => {
      const bytes = bytesOf(text);
      const isBetween = bytes !== undefined && bytes >= (fewest ?? 0) && bytes <= (greatest ?? 0);
      return isBetween ? `${text.replace(/[KMGT]B?$/i, '')}${unitIn(text)}B` : undefined;
    },
  });
}

const unitIn = (text: string): string => /[KMGT](?=B?$)/i.exec(text)?.[0].toUpperCase() ?? '';

function bytesOf(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,5}[KMGT]B?$/i.test(text)) return undefined;
  return Number.parseInt(text, 10) * 1024 ** (units.indexOf(unitIn(text)) + 1);
}

/** What is written into blocks: 32 bytes at most. Some clients read a text that begins with 0x as hexadecimal. */
export const blockText = defineValue({
  takes: 'up to 32 letters, digits, ".", "_" and "-", beginning with a letter or a digit, but not with "0x"',
  example: 'slipway-1.0',
  read: (text) => (/^(?!0x)[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/i.test(text) ? text : undefined),
});

/** How much each module of geth logs; a name without slash is that of a package. */
export const gethModules = listOf(/^[a-z0-9][a-z0-9_-]{0,31}(\/[a-z0-9_-]{1,32}){0,3}=[0-5]$/, {
  takes: 'modules with their levels from 0 to 5, such as p2p=5,eth/downloader=4',
  example: 'p2p=5,eth/downloader=4',
});

/** A filter of Rust's tracing_subscriber, without fields: levels for all, and for modules. */
export const rustLogFilter = listOf(
  /^([a-z][a-z0-9_]{0,31}(::[a-z0-9_]{1,32}){0,3}=)?(off|error|warn|info|debug|trace)$/,
  { takes: 'levels, such as info,net=debug', example: 'info,reth::cli=debug' },
);

function listOf(item: RegExp, { takes, example }: Pick<Values, 'takes' | 'example'>): FlagType {
  const maxItems = 16;
  return defineValue({
    takes,
    example,
    read: (text) => {
      const items = text.split(',', maxItems + 1);
      return items.length <= maxItems && items.every((one) => item.test(one)) ? text : undefined;
    },
  });
}

/** Numbers up to 63, each larger than the one before it. */
export const ascendingNumbers = defineValue({
  takes: 'ascending numbers up to 63, such as 5,9,11',
  example: '5,9,11',
  read: (text) => {
    const numbers = text.split(',', 64).map(Number);
    const isAscending = numbers.every((one, index) => one <= 63 && one > (numbers[index - 1] ?? -1));
    return /^[0-9]{1,2}(,[0-9]{1,2})*$/.test(text) && isAscending ? numbers.join(',') : undefined;
  },
});

/** A switch of a parser that takes no value, such as clap's. */
export const bareSwitch: FlagType = {
  takes: 'no value',
  isSwitch: true,
  write: (value) => (value === undefined ? '' : undefined),
};

/** A switch that can also be turned off. */
export const trueOrFalse: FlagType = {
  takes: 'no value, "true" or "false"',
  example: 'false',
  isSwitch: true,
  write: (value = 'true') => (value === 'true' || value === 'false' ? `=${value}` : undefined),
};
