import { Transform } from 'node:stream';

const scheme = /(?:https?|wss?):\/\//i;
/** One less than the longest scheme: so much of its beginning may be at the end of a chunk. */
const heldLength = 'https://'.length - 1;
const afterUrl = /[\s"'\\<>)\]}]/;
const replacement = '[fork source]';

/**
 * Takes the URLs out of what the node of a forked network says. Errors of its source, and what it tells of itself,
 * name the source's URL, and in that often the installation's key. Chain data is hexadecimal: no URL of it is lost.
 * Nothing but the few bytes of a scheme that may go on is held back.
 */
function createScrubber() {
  let held = '';
  let isInUrl = false;
  return {
    push(chunk: string): string {
      let rest = held + chunk;
      let clean = '';
      held = '';
      while (rest !== '') {
        if (isInUrl) {
          const end = rest.search(afterUrl);
          if (end === -1) return clean;
          rest = rest.slice(end);
          isInUrl = false;
        }
        const found = scheme.exec(rest);
        if (!found) {
          const at = Math.max(0, rest.length - heldLength);
          held = rest.slice(at);
          return clean + rest.slice(0, at);
        }
        clean += rest.slice(0, found.index) + replacement;
        rest = rest.slice(found.index + found[0].length);
        isInUrl = true;
      }
      return clean;
    },
    end: () => held,
  };
}

/** A stream that does so. Bytes that are no ASCII pass as they are. */
export function createScrub(): Transform {
  const scrubber = createScrubber();
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, Buffer.from(scrubber.push(chunk.toString('latin1')), 'latin1'));
    },
    flush(done) {
      done(null, Buffer.from(scrubber.end(), 'latin1'));
    },
  });
}

/** The same for one message. */
export function scrubMessage(message: Buffer): Buffer {
  const text = message.toString('latin1');
  if (!scheme.test(text)) return message;
  const scrubber = createScrubber();
  return Buffer.from(scrubber.push(text) + scrubber.end(), 'latin1');
}
