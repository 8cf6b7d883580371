import { cut } from '../../../core/lib/text/foreignText.ts';
import { createUnlimitedScan, endOfValue, skipSpace } from '../jsonrpc/jsonScan.ts';
import type { CallError } from './observed.ts';

/** What an answer to a call says, as far as its beginning and its end show it. */
export interface Answer {
  /** JSON text; undefined if it is not there. */
  id: string | undefined;
  hasResult: boolean;
  error: CallError | undefined;
}

/** Characters of an error message that are kept. */
const maxMessage = 300;

/** Reads an answer from its first characters, and from its last ones if it is longer. Never throws. */
export function readAnswer(head: string, tail = ''): Answer {
  const answer: Answer = { id: undefined, hasResult: false, error: undefined };
  for (const { name, value } of membersOf(head)) {
    if (name === '"id"') answer.id = value;
    if (name === '"result"') answer.hasResult = true;
    if (name === '"error"' && value !== 'null') answer.error = errorOf(value);
  }
  answer.id ??= lastIdIn(tail);
  return answer;
}

interface Member {
  name: string;
  value: string;
}

/** The members of an object whose end may be missing; the last value may be incomplete. */
function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return members;
  do {
    const start = skipSpace(text, at + 1);
    const nameEnd = endOf(text, start);
    const valueStart = skipSpace(text, nameEnd + 1);
    const valueEnd = endOf(text, valueStart);
    if (text[start] !== '"' || valueEnd <= valueStart) return members;
    members.push({ name: text.slice(start, nameEnd), value: text.slice(valueStart, valueEnd) });
    at = skipSpace(text, valueEnd);
  } while (text[at] === ',');
  return members;
}

/** The index after a value, or the end of the text if the value is longer. */
function endOf(text: string, start: number): number {
  try {
    return endOfValue(createUnlimitedScan(text), start);
  } catch {
    return text.length;
  }
}

/** Some nodes write the id last. */
function lastIdIn(tail: string): string | undefined {
  const name = '"id":';
  const at = tail.lastIndexOf(name);
  if (at === -1) return undefined;
  const start = skipSpace(tail, at + name.length);
  return tail.slice(start, endOf(tail, start));
}

/** The code and the message; the error itself where it has another form. */
function errorOf(value: string): CallError {
  const { code, message } = Object.fromEntries(
    membersOf(value).map((one) => [one.name.slice(1, -1), one.value]),
  );
  const number = Number(code ?? Number.NaN);
  return {
    code: Number.isSafeInteger(number) ? number : undefined,
    message: cut(textOf(message ?? value), maxMessage),
  };
}

/** A JSON string, of which the end may be missing, as a text. */
function textOf(value: string): string {
  try {
    const text: unknown = JSON.parse(value);
    return typeof text === 'string' ? text : value;
  } catch {
    return value.replace(/^"/, '');
  }
}
