import { createHmac, timingSafeEqual } from 'node:crypto';
import { currentKeyOf, type Keyring } from '../../../core/accounts/keyring.ts';
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
 * under the newest key, so that every replica can open what another one sealed. A cursor is valid while its key is
 * installed.
 */
export function createCursors(keyring: Keyring): Cursors {
  const sealWith = (key: Uint8Array, scope: CursorScope, position: string): string => {
    const covered = JSON.stringify([scope.caller, scope.endpoint, scope.filter, position]);
    const mac = createHmac('sha256', key).update(covered).digest('base64url');
    return `${Buffer.from(position).toString('base64url')}.${mac}`;
  };
  return {
    seal: (scope, position) => sealWith(currentKeyOf(keyring), scope, position),
    open(scope, cursor) {
      const [encoded = ''] = cursor.split('.', 1);
      const position = Buffer.from(encoded, 'base64url').toString();
      // The whole text is compared instead of the decoded bytes, because base64url encodings are not unique.
      const given = Buffer.from(cursor);
      for (const key of keyring.keys.values()) {
        const expected = Buffer.from(sealWith(key, scope, position));
        if (given.length === expected.length && timingSafeEqual(given, expected)) return position;
      }
      const message =
        'is not valid for this list, or has expired: start again without a cursor and keep the same selector on every page';
      throw new AppError('BadRequest', `the cursor ${message}`, { details: [{ path: 'cursor', message }] });
    },
  };
}
