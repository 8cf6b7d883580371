import { Transform } from 'node:stream';

/**
 * Puts the gateway's own error objects before the node's answer to the rest of a batch, without buffering that
 * answer: an array is continued, a single object becomes an item, and without an answer only the errors remain.
 */
export function createSplice(refusals: string[]): Transform {
  const own = `[${refusals.join(',')}`;
  let place: 'begin' | 'arrayBegin' | 'inArray' | 'inObject' = 'begin';

  function begin(stream: Transform, chunk: Buffer): void {
    const at = firstVisible(chunk);
    if (at === chunk.length) return;
    const isArray = place === 'begin' && chunk[at] === 0x5b;
    if (place === 'begin') stream.push(own);
    if (isArray) {
      place = 'arrayBegin';
      begin(stream, chunk.subarray(at + 1));
      return;
    }
    if (place === 'begin' || chunk[at] !== 0x5d) stream.push(',');
    place = place === 'begin' ? 'inObject' : 'inArray';
    stream.push(chunk.subarray(at));
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const isInside = place === 'inArray' || place === 'inObject';
      if (isInside) this.push(chunk);
      if (!isInside) begin(this, chunk);
      done();
    },
    flush(done) {
      if (place === 'begin') this.push(`${own}]`);
      if (place === 'inObject') this.push(']');
      done();
    },
  });
}

function firstVisible(chunk: Buffer): number {
  const at = chunk.findIndex((byte) => byte > 0x20);
  return at === -1 ? chunk.length : at;
}
