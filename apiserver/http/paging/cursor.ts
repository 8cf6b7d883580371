import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../core/lib/errors.ts';

/** The scope of a cursor: it is only valid for the caller, endpoint and filter that it was created for. */
export interface CursorScope {
  caller: string;
  endpoint: string;
  filter: string;
}

export interface Cursors {
  seal(scope: CursorScope, position: string): string;
  /** The position of a cursor of this scope. Throws BadRequest if it was altered or belongs to another scope. */
  open(scope: CursorScope, cursor: string): string;
}

/**
 * Cursors are `<position in base64url>.<mac in base64url>`. The MAC is HMAC-SHA-256 over the scope and the position,
 * under a separate key derived from `key`, so that every replica can open what another one sealed.
 */
export function createCursors(key: Uint8Array): Cursors {
  const macKey = createHmac('sha256', key).update('list cursor').digest();
  const seal = (scope: CursorScope, position: string): string => {
    const covered = JSON.stringify([scope.caller, scope.endpoint, scope.filter, position]);
    const mac = createHmac('sha256', macKey).update(covered).digest('base64url');
    return `${Buffer.from(position).toString('base64url')}.${mac}`;
  };
  return {
    seal,
    open(scope, cursor) {
      const [encoded = ''] = cursor.split('.', 1);
      const position = Buffer.from(encoded, 'base64url').toString();
      // The whole text is compared instead of the decoded bytes, because base64url encodings are not unique.
      const expected = Buffer.from(seal(scope, position));
      const given = Buffer.from(cursor);
      if (given.length === expected.length && timingSafeEqual(given, expected)) return position;
      const message =
        'is not valid for this list: start again without a cursor and keep the same selector on every page';
      throw new AppError('BadRequest', `the cursor ${message}`, { details: [{ path: 'cursor', message }] });
    },
  };
}
