import { setImmediate as nextTurn } from 'node:timers/promises';
import { toBeHex, verifyAuthorization } from 'ethers';
import type { Authorization } from '../../api/rest/replay.ts';
import { toQuantity } from '../../lib/text/quantity.ts';
import { quantitySchema, read } from '../answers.ts';
import { countCall } from '../chainState.ts';
import { type EvmRpc, rpcErrorOf } from '../rpc.ts';

/** The account that signed an authorization (EIP-7702), in lower case; undefined if the signature is of nobody. */
function signerOf({ chain_id, address, nonce, y_parity, r, s }: Authorization): string | undefined {
  // Ethers takes other numbers as well.
  if (y_parity > 1) return undefined;
  try {
    const signature = { r: toBeHex(r, 32), s: toBeHex(s, 32), yParity: y_parity === 1 ? 1 : 0 } as const;
    const signed = { chainId: BigInt(chain_id), address: address.toLowerCase(), nonce: BigInt(nonce) };
    return verifyAuthorization(signed, signature).toLowerCase();
  } catch {
    return undefined;
  }
}

/** The signers of authorizations, without keeping the event loop: each takes a millisecond or two. */
export async function signersOf(authorizations: readonly Authorization[]): Promise<(string | undefined)[]> {
  const signers: (string | undefined)[] = [];
  for (const authorization of authorizations) {
    signers.push(signerOf(authorization));
    await nextTurn();
  }
  return signers;
}

/** The outcome of an authorization. */
export interface Effect {
  /** Undefined if the node does not have the state of the block any more. */
  isApplied: boolean | undefined;
  /** Why it cannot have taken effect. */
  reason?: string;
}

interface Mined {
  authorizations: readonly Authorization[];
  /** The block of their transaction. */
  block: number;
  chainId: string;
}

/**
 * Whether authorizations took effect. One that does uses up its signer's nonce, and is skipped if that is another one; no
 * receipt tells. Rejects with Unavailable when the node does not answer.
 */
export async function readEffects(
  rpc: Pick<EvmRpc, 'batch'>,
  { authorizations, block, chainId }: Mined,
): Promise<Effect[]> {
  if (authorizations.length === 0) return [];
  const signers = await signersOf(authorizations);
  const accounts = [...new Set(signers.filter((signer) => signer !== undefined))];
  const counts = await countsAround(rpc, accounts, block);
  return authorizations.map((authorization, index) => {
    const signer = signers[index];
    if (signer === undefined) return { isApplied: false, reason: 'its signature is of nobody' };
    if (!holdsOn(authorization, chainId)) {
      const reason = `it is signed for chain id ${BigInt(authorization.chain_id)}, and this chain has ${chainId}`;
      return { isApplied: false, reason };
    }
    return effectOf(BigInt(authorization.nonce), signer, counts.get(signer));
  });
}

const holdsOn = ({ chain_id: id }: Authorization, chainId: string): boolean =>
  BigInt(id) === 0n || BigInt(id) === BigInt(chainId);

function effectOf(nonce: bigint, signer: string, counts: Counts | undefined): Effect {
  if (!counts) return { isApplied: undefined };
  if (counts.before <= nonce && nonce < counts.after) return { isApplied: true };
  return {
    isApplied: false,
    reason: `it is signed for nonce ${nonce} of ${signer}, which has ${counts.before}`,
  };
}

/** How many nonces an account had used before and after a block. */
interface Counts {
  before: bigint;
  after: bigint;
}

async function countsAround(
  rpc: Pick<EvmRpc, 'batch'>,
  accounts: readonly string[],
  block: number,
): Promise<Map<string, Counts>> {
  const at = (account: string, number: number) => countCall(account, toQuantity(number));
  const calls = accounts.flatMap((account) => [at(account, block - 1), at(account, block)]);
  const outcomes = await rpc.batch(calls);
  const counts = new Map<string, Counts>();
  for (const [index, account] of accounts.entries()) {
    const pair = outcomes.slice(2 * index, 2 * index + 2);
    if (pair.some((outcome) => 'error' in outcome && rpcErrorOf(outcome.error))) continue;
    const [before = 0n, after = 0n] = pair.map((outcome) => read(quantitySchema, outcome));
    counts.set(account, { before, after });
  }
  return counts;
}
