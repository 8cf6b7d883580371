import type { AccessList, Authorization, RecordedTransaction } from '../../core/api/rest/replay.ts';
import type { RecordedParts } from '../../core/api/rest/transaction.ts';
import { type Effect, signersOf } from '../../core/evm/authorizations/effects.ts';
import { compact } from '../../core/lib/compact.ts';
import type { AddressBook } from './addressBook.ts';
import { digitsOf, rewrite } from './addresses.ts';

/** What a transaction is sent with beside its call. */
interface Repeated {
  parts: RecordedParts;
  /** Positions of the sent authorizations among the recorded ones. */
  sent: number[];
  /** What is not repeated, and why. */
  differences: string[];
}

interface Replaying {
  /** The replacement of an address (digits); undefined for one that stays. */
  lookup(digits: string): string | undefined;
  book: Pick<AddressBook, 'caller' | 'isSender'>;
  /** Whether the chain has EIP-7702. */
  hasAuthorizations: boolean;
}

/** The addresses that the parts beside the call name. */
export function namedIn({ access_list: list = [], authorizations = [] }: RecordedTransaction): string[] {
  return [...list, ...authorizations].map(({ address }) => address);
}

/**
 * The parts of a recorded transaction beside its call. Blobs are not on the chain, and an authorization is signed: both
 * are left out where they cannot be repeated, and named.
 */
export async function repeat(recorded: RecordedTransaction, replaying: Replaying): Promise<Repeated> {
  const { type, access_list: list, authorizations = [] } = recorded;
  const signers = await signersOf(authorizations);
  const refusals = authorizations.map((authorization, index) =>
    refusalOf({ authorization, signer: signers[index] }, recorded, replaying),
  );
  const sent = [...authorizations.keys()].filter((index) => refusals[index] === undefined);
  return {
    parts: {
      ...compact({ access_list: list?.map((entry) => movedAccess(entry, replaying)) }),
      ...(sent.length > 0 ? { authorizations: sent.flatMap((index) => authorizations[index] ?? []) } : {}),
      ...(sent.length === 0 && (type === 0 || type === 1 || type === 2) ? { type } : {}),
    },
    sent,
    differences: [
      ...typeDifference(recorded),
      ...blobDifference(recorded),
      ...refusals.flatMap((reason, index) => notSent(index, authorizations[index], reason)),
    ],
  };
}

function movedAccess({ address, storage_keys: keys }: AccessList[number], { lookup }: Replaying) {
  return { address: rewrite(address, lookup), storage_keys: keys.map((key) => rewrite(key, lookup)) };
}

interface Signed {
  authorization: Authorization;
  signer: string | undefined;
}

/** Why an authorization is not sent; undefined if it is. One that does not hold here is skipped by the chain. */
function refusalOf(
  { authorization: { address }, signer }: Signed,
  { to }: RecordedTransaction,
  { book, lookup, hasAuthorizations }: Replaying,
): string | undefined {
  if (!hasAuthorizations || to === undefined) return 'the chain does not take it (EIP-7702)';
  const digits = signer && digitsOf(signer);
  // It would also use up a nonce of the caller.
  if (digits && book.isSender(digits)) return 'the recorded sender signed it, whom the caller replaces';
  if (digits === digitsOf(book.caller)) return 'it would use up a nonce of the caller';
  const moved = lookup(digitsOf(address));
  if (moved !== undefined && moved !== digitsOf(address))
    return `it names ${address}, which is 0x${moved} in the replay`;
  return undefined;
}

function notSent(index: number, authorization: Authorization | undefined, reason: string | undefined) {
  // Nothing is lost with what had no effect.
  if (reason === undefined || authorization?.applied === false) return [];
  return [`authorization ${index}: not sent, because ${reason}`];
}

/** Those that are signed and sent by a wallet; 3 and 4 differ by what they carry. */
const repeatedTypes = [0, 1, 2, 3, 4];

function typeDifference({ type }: RecordedTransaction): string[] {
  if (type === undefined || repeatedTypes.includes(type)) return [];
  return [`type: sent as an ordinary transaction, because type ${type} cannot be sent`];
}

function blobDifference({ type, blob_versioned_hashes: blobs = [] }: RecordedTransaction): string[] {
  if (blobs.length === 0 && type !== 3) return [];
  return [`blobs: ${blobs.length} left out, because a chain keeps only their hashes`];
}

/** How the authorizations that were sent took effect, where that differs from the recording. */
export function compareEffects(
  recorded: RecordedTransaction,
  sent: readonly number[],
  effects: readonly Effect[],
): string[] {
  return sent.flatMap((index, at) => {
    const { isApplied, reason } = effects[at] ?? { isApplied: undefined };
    const was = recorded.authorizations?.[index]?.applied;
    if (isApplied === (was ?? true)) return [];
    if (isApplied === undefined)
      return [`authorization ${index}: the node does not tell whether it took effect`];
    if (isApplied) return [`authorization ${index}: took effect, recorded: none`];
    return [`authorization ${index}: had no effect, because ${reason}`];
  });
}
