import { Transform } from 'node:stream';

const scheme = /(?:https?|wss?):\/\//i;
/** One less than the longest scheme: at most this much of a scheme can be at the end of a chunk. */
const heldLength = 'https://'.length - 1;
const afterUrl = /[\s"'\\<>)\]}]/;
const replacement = '[fork source]';

/**
 * Removes URLs from what the node of a forked network sends. Errors of the fork source and the node's information
 * about itself contain the source's URL, which often includes the installation's API key. Chain data is hexadecimal,
 * so no URL in it is lost. Only the few bytes that may be the beginning of a scheme are held back.
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

/** A stream that removes URLs. Bytes outside ASCII pass unchanged. */
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

/** Removes URLs from one message. */
export function scrubMessage(message: Buffer): Buffer {
  const text = message.toString('latin1');
  if (!scheme.test(text)) return message;
  const scrubber = createScrubber();
  return Buffer.from(scrubber.push(text) + scrubber.end(), 'latin1');
}
