import { Wallet } from 'ethers';
import type { Authorization } from '../../api/rest/replay.ts';
import { AppError } from '../../lib/errors.ts';
import type { EvmRpc, RpcCall, RpcOutcome } from '../rpc.ts';
import { readEffects } from './effects.ts';

const wallet = new Wallet(`0x${'7a'.repeat(32)}`);
const account = wallet.address.toLowerCase();
const address = `0x${'de'.repeat(20)}`;

function signed(nonce: bigint, chainId: bigint, more: Partial<Authorization> = {}): Authorization {
  const { yParity, r, s } = wallet.authorizeSync({ address, nonce, chainId }).signature;
  return { chain_id: `${chainId}`, address, nonce: `${nonce}`, y_parity: yParity, r, s, ...more };
}

const asked: RpcCall[] = [];
beforeEach(() => asked.splice(0));

/** A node on which the account has used `before` nonces at block 8 and `after` at block 9. */
function nodeWith(before: RpcOutcome, after: RpcOutcome): Pick<EvmRpc, 'batch'> {
  return {
    async batch(calls) {
      asked.push(...calls);
      return calls.map(({ params }) => (params[1] === '0x8' ? before : after));
    },
  };
}

const count = (nonces: number): RpcOutcome => ({ result: `0x${nonces.toString(16)}` });
const mined = (...authorizations: Authorization[]) => ({ authorizations, block: 9, chainId: '7' });

it('authorizations took effect whose nonces were used up in the block, on this chain or on every one', async () => {
  const node = nodeWith(count(2), count(4));
  const effects = await readEffects(node, mined(signed(2n, 7n), signed(3n, 0n)));
  expect(effects).toEqual([{ isApplied: true }, { isApplied: true }]);
  expect(asked.map(({ params }) => params)).toEqual([
    [account, '0x8'],
    [account, '0x9'],
  ]);
});

it.each<[string, Authorization, string]>([
  ['another nonce', signed(5n, 7n), `it is signed for nonce 5 of ${account}, which has 2`],
  ['a nonce beyond those of accounts', signed(2n ** 63n, 7n), `nonce ${2n ** 63n}`],
  ['another chain', signed(2n, 8n), 'it is signed for chain id 8, and this chain has 7'],
  ['a broken signature', signed(2n, 7n, { s: '0x0' }), 'its signature is of nobody'],
  ['a parity that no signature has', signed(2n, 7n, { y_parity: 27 }), 'its signature is of nobody'],
])('one had none with %s, and it is said why', async (_reason, one, reason) => {
  const [effect] = await readEffects(nodeWith(count(2), count(4)), mined(one));
  expect(effect).toEqual({ isApplied: false, reason: expect.stringContaining(reason) });
});

it('nothing is known of a block whose state the node has no more', async () => {
  const pruned = new AppError('BadRequest', 'missing trie node', {
    cause: { code: -32000, message: 'missing trie node' },
  });
  const [effect] = await readEffects(nodeWith({ error: pruned }, count(4)), mined(signed(2n, 7n)));
  expect(effect).toEqual({ isApplied: undefined });
});

it('a node that does not answer is a failure', async () => {
  const error = new AppError('Unavailable', 'it did not answer');
  const reading = readEffects(nodeWith({ error }, { error }), mined(signed(2n, 7n)));
  await expect(reading).rejects.toMatchObject({ reason: 'Unavailable' });
});
