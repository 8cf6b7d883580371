import { createUnlimitedScan, endOfValue, skipSpace } from './jsonScan.ts';

/** Most messages tell what they are in so many bytes: nodes write large values last. */
const headBytes = 256;

/**
 * Whether a message of a node tells a subscriber something, and answers no call: it has a method where an answer has an id, a result or an
 * error. It is not enough to look for the name of a method: the id of a call, which its caller chooses, may be that name.
 */
export function isNotification(message: Buffer): boolean {
  const inHead = hasMethod(message.toString('latin1', 0, headBytes));
  return inHead ?? (message.length > headBytes && hasMethod(message.toString('latin1')) === true);
}

const ofAnswers: readonly string[] = ['"id"', '"result"', '"error"'];

/** What the first member says that only one of the two kinds has; undefined if the text ends before. */
function hasMethod(text: string): boolean | undefined {
  const scan = createUnlimitedScan(text);
  let at = skipSpace(text, 0);
  if (at < text.length && text[at] !== '{') return false;
  try {
    do {
      const start = skipSpace(text, at + 1);
      const nameEnd = endOfValue(scan, start);
      const name = text.slice(start, nameEnd);
      if (name === '"method"') return true;
      if (ofAnswers.includes(name)) return false;
      const colon = skipSpace(text, nameEnd);
      at = skipSpace(text, endOfValue(scan, skipSpace(text, colon + 1)));
    } while (text[at] === ',');
  } catch {
    return undefined;
  }
  return undefined;
}
