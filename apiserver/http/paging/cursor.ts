import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../core/lib/errors.ts';

/** What a cursor is good for: only the caller, endpoint and filter that it was made for may use it. */
export interface CursorScope {
  caller: string;
  endpoint: string;
  filter: string;
}

export interface Cursors {
  seal(scope: CursorScope, position: string): string;
  /** The position of a cursor of this scope; throws BadRequest when it was changed or belongs to another scope. */
  open(scope: CursorScope, cursor: string): string;
}

/**
 * Cursors `<position in base64url>.<mac in base64url>`; the MAC is HMAC-SHA-256 over the scope and the position under
 * a key of its own, derived from `key`, so that every replica opens what another one sealed.
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
      // The whole text is compared, not the decoded bytes: base64url spells some bytes in more than one way.
      const expected = Buffer.from(seal(scope, position));
      const given = Buffer.from(cursor);
      if (given.length === expected.length && timingSafeEqual(given, expected)) return position;
      const message =
        'is not a cursor of this list: begin again without one, with the same selector throughout';
      throw new AppError('BadRequest', `the cursor ${message}`, { details: [{ path: 'cursor', message }] });
    },
  };
}
