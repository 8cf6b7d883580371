import { withoutEnding } from '../text/withoutEnding.ts';
import type { Pace } from '../work/pace.ts';
import { quoteNumbers, quoteNumbersInTurns } from './quoteNumbers.ts';

/** A number with this many digits may not fit into a double. Digits within a text also match, which costs only time. */
const longNumber = /(?:^|[[:,\s])-?[\d.]{16}/;

/** The value of a JSON text. A number that a double would change is its own text. Throws SyntaxError for what is not JSON. */
export function parseExactly(text: string): unknown {
  return JSON.parse(longNumber.test(text) ? quoteNumbers(text, isChanged) : text);
}

/** The same, with turns for others but for JSON.parse itself, which reads half a gigabyte a second. */
export async function parseExactlyInTurns(text: string, pace: Pace): Promise<unknown> {
  return JSON.parse(longNumber.test(text) ? await quoteNumbersInTurns(text, isChanged, pace) : text);
}

/** A schema then refuses the text, and free-form data keeps its digits. */
const isChanged = (source: string): boolean => exactNumber(Number(source), source) === source;

/** The number that a decimal text is, or the text itself if a double would change it. */
export function exactNumber(value: number, source: string): number | string {
  const text = String(value);
  return text === source || decimalOf(source) === decimalOf(text) ? value : source;
}

/** Digits and exponent, without zeros at either end. */
function decimalOf(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const shortened = withoutEnding(digits, '0');
  return `${shortened}e${shortened === '' ? 0 : Number(exponent) - fraction.length + digits.length - shortened.length}`;
}
