import { type Argon2Parameters, argon2, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { createBuckets } from '../../../../apiserver/http/limits/buckets.ts';
import type { BudgetMetrics } from '../../../../apiserver/http/limits/budgetMetrics.ts';
import { currentSource } from '../../../../apiserver/http/limits/source.ts';
import { createTurns } from '../../../../apiserver/http/limits/turns.ts';
import { hashOfSecret, isSameHash } from '../../../../core/accounts/credentials.ts';
import type { Clock } from '../../../../core/lib/clock.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { createTally } from '../../../../core/lib/work/tally.ts';
import type { PasswordResource } from '../../api/resources/password.ts';

/** What is stored of a password, and whose it is. */
type StoredHash = Pick<PasswordResource['spec'], 'user' | 'hash'>;

/** Hashes of passwords, bound to an address and a user. */
export interface PasswordHasher {
  /** The slow part: the same for all accounts with an address, so that their number does not show in the time. */
  tagOf(password: string, address: string): Promise<Buffer>;
  /** What is stored of a tag: of no use for another user. */
  bind(tag: Buffer, userId: string): string;
  isRight(tag: Buffer, stored: StoredHash): boolean;
  /** The same for a hash of version 0.3.0, which has a salt of its own. Takes as long without one, which no password matches. */
  isRightFormer(password: string, stored: StoredHash | undefined): Promise<boolean>;
}

/** More than OWASP asks for (19 MiB twice): about 80 ms of a core. `memory` in KiB. */
const cost = { memory: 32_768, passes: 2, parallelism: 1, tagLength: 32 };
const saltLength = 16;
/** Two threads of the pool, so that the others stay free for everything else. */
const atOnce = 2;
const maxWaitingPerCaller = 8;
/** Of those that ask often, and of those that ask seldom. */
const maxWaiting = 64;
/** A source that asks no more often than this asks seldom. */
const seldom = { perSecond: 1 / 60, burst: 6 };

interface HasherOptions {
  pepper: KeyObject;
  clock: Clock;
  budgets: Pick<BudgetMetrics, 'refused'>;
}

const derive = promisify(argon2);

/**
 * Argon2id (RFC 9106) with the pepper as its secret value and a salt that follows from the address; its tag is bound to the
 * user by an HMAC. A hash is of no use without the pepper, and of none for another user. Few are computed at a time;
 * source addresses take turns, and those that ask often together leave every other turn to those that ask seldom.
 */
export function createPasswordHasher(options: HasherOptions): PasswordHasher {
  const { pepper } = options;
  const compute = createComputation(options);
  const macOf = (text: string) => hashOfSecret(pepper, 'password', text);
  const saltOf = (address: string) => macOf(`salt/${address}`).subarray(0, saltLength);
  const bind = (tag: Buffer, userId: string) =>
    `$argon2id$v=19$${costText},bound=user$${macOf(`bound/${userId}/${tag.toString('hex')}`).toString('base64url')}`;
  return {
    tagOf: (password, address) => compute(password, { nonce: saltOf(address) }),
    bind,
    isRight: (tag, { user, hash }) => isSameHash(Buffer.from(bind(tag, user)), Buffer.from(hash)),
    async isRightFormer(password, stored) {
      const [nonce, known] = partsOf(stored?.hash) ?? [randomBytes(saltLength), randomBytes(cost.tagLength)];
      const associatedData = Buffer.from(stored?.user ?? '');
      return isSameHash(await compute(password, { nonce, associatedData }), known) && stored !== undefined;
    },
  };
}

/** Argon2id, by turns. */
function createComputation({ pepper, clock, budgets }: HasherOptions) {
  const secret = hashOfSecret(pepper, 'password', 'argon2id');
  const refusal = 'too many sign-ins with a password at a time: retry';
  const turns = createTurns({ atOnce, maxWaitingPerCaller, budgets, refusal: () => refusal });
  const calm = createBuckets(seldom, clock);
  const waiting = createTally();

  return async (
    password: string,
    salt: Pick<Argon2Parameters, 'nonce' | 'associatedData'>,
  ): Promise<Buffer> => {
    const source = currentSource();
    const group = calm.of(source).take() === 0 ? 'seldom' : 'often';
    if (waiting.of(group) >= maxWaiting) {
      budgets.refused('waiting');
      throw new AppError('Unavailable', refusal, { retryAfterSeconds: 1 });
    }
    waiting.add(group, 1);
    const end = await turns.begin(source, { group }).finally(() => waiting.add(group, -1));
    return derive('argon2id', { ...cost, ...salt, message: password.normalize('NFKC'), secret }).finally(end);
  };
}

/** As in the PHC string format (https://github.com/P-H-C/phc-string-format). */
const costText = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`;

/** Salt and tag of a hash of version 0.3.0, in base64url; undefined for one of another cost. */
function partsOf(stored = ''): [Buffer, Buffer] | undefined {
  const [salt = '', tag = ''] = stored.split('$').slice(-2);
  if (stored !== `$argon2id$v=19$${costText}$${salt}$${tag}`) return undefined;
  return [Buffer.from(salt, 'base64url'), Buffer.from(tag, 'base64url')];
}
