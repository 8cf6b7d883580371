import type { Transform, Writable } from 'node:stream';

/** Puts a stream before a target. What goes to a target that has closed is dropped. */
export function through(stream: Transform, target: Writable): Transform {
  stream.pipe(target);
  target.once('close', () => stream.destroy());
  return stream;
}
