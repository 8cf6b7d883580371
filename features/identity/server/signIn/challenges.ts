import type { KeyObject } from 'node:crypto';
import { hashOfSecret, isSameHash } from '../../../../core/accounts/credentials.ts';
import type { RandomBytes } from '../../../../core/accounts/ids.ts';
import type { Clock } from '../../../../core/lib/clock.ts';

/**
 * Challenges that need no memory until they are answered: 16 random bytes, the time of their end, and a MAC over both
 * with what they are for.
 */
export interface Challenges {
  create(purpose: string, random: RandomBytes): Uint8Array<ArrayBuffer>;
  /** Whether a challenge, in base64url, is for this purpose, and its time is not over. */
  isValid(purpose: string, challenge: string): boolean;
}

export const challengeLifetimeMs = 5 * 60_000;
const [randomLength, timeLength, macLength] = [16, 6, 32];
const headLength = randomLength + timeLength;

export function createChallenges({ pepper, clock }: { pepper: KeyObject; clock: Clock }): Challenges {
  const macOf = (purpose: string, head: Buffer) =>
    hashOfSecret(pepper, 'challenge', `${purpose}/${head.toString('hex')}`);
  return {
    create(purpose, random) {
      const head = Buffer.alloc(headLength);
      random('challenge', randomLength).copy(head);
      head.writeUIntBE(clock.nowMs() + challengeLifetimeMs, randomLength, timeLength);
      return Uint8Array.from(Buffer.concat([head, macOf(purpose, head)]));
    },
    isValid(purpose, challenge) {
      const bytes = Buffer.from(challenge, 'base64url');
      if (bytes.length !== headLength + macLength) return false;
      const head = bytes.subarray(0, headLength);
      const isOwn = isSameHash(bytes.subarray(headLength), macOf(purpose, head));
      return isOwn && clock.nowMs() < head.readUIntBE(randomLength, timeLength);
    },
  };
}
