import { type Argon2Parameters, argon2, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { hashOfSecret, isSameHash } from '../../../core/accounts/credentials.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import { currentSource } from '../../http/limits/source.ts';
import { createTurns } from '../../http/limits/turns.ts';

/** Hashes of passwords, bound to a user. */
export interface PasswordHasher {
  hash(password: string, userId: string): Promise<string>;
  /** Takes as long without a stored hash, which no password matches. */
  matches(password: string, userId: string, stored: string | undefined): Promise<boolean>;
}

/** More than OWASP asks for (19 MiB twice): about 80 ms of a core. `memory` in KiB. */
const cost = { memory: 32_768, passes: 2, parallelism: 1, tagLength: 32 };
/** Two threads of the pool, so that the others stay free for everything else. */
const atOnce = 2;
const maxWaitingPerCaller = 8;
const maxWaiting = 64;

const derive = promisify(argon2);

/**
 * Argon2id (RFC 9106) with the pepper as its secret value and the user as associated data: a hash is of no use without
 * the pepper, and of none for another user. Few hashes are computed at a time; addresses take turns.
 */
export function createPasswordHasher(
  pepper: KeyObject,
  budgets: Pick<BudgetMetrics, 'refused'>,
): PasswordHasher {
  const secret = hashOfSecret(pepper, 'password', 'argon2id');
  const turns = createTurns({
    ...{ atOnce, maxWaitingPerCaller, budgets },
    refusal: () => 'too many sign-ins with a password at a time: retry',
  });
  let waiting = 0;

  async function tagOf(password: string, userId: string, nonce: Buffer): Promise<Buffer> {
    if (waiting >= maxWaiting) {
      budgets.refused('waiting');
      throw busy();
    }
    waiting += 1;
    const end = await turns.begin(currentSource()).finally(() => {
      waiting -= 1;
    });
    const parameters: Argon2Parameters = {
      ...{ ...cost, message: password.normalize('NFKC'), nonce, secret },
      associatedData: Buffer.from(userId),
    };
    return derive('argon2id', parameters).finally(end);
  }

  return {
    async hash(password, userId) {
      const nonce = randomBytes(16);
      return formatOf(nonce, await tagOf(password, userId, nonce));
    },
    async matches(password, userId, stored) {
      const [nonce, tag] = partsOf(stored) ?? [randomBytes(16), randomBytes(cost.tagLength)];
      return isSameHash(await tagOf(password, userId, nonce), tag) && stored !== undefined;
    },
  };
}

/** The PHC string format (https://github.com/P-H-C/phc-string-format), in base64url. */
function formatOf(nonce: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = cost;
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64url'));
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${salt}$${hash}`;
}

/** Undefined for a hash of another cost, which nothing matches: its user sets a new password. */
function partsOf(stored = ''): [Buffer, Buffer] | undefined {
  const [nonce = '', tag = ''] = stored.split('$').slice(-2);
  const bytes: [Buffer, Buffer] = [Buffer.from(nonce, 'base64url'), Buffer.from(tag, 'base64url')];
  return formatOf(...bytes) === stored ? bytes : undefined;
}

function busy(): AppError {
  return new AppError('Unavailable', 'too many sign-ins with a password at a time: retry', {
    retryAfterSeconds: 1,
  });
}
