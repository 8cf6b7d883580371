import { countNonces } from '../../core/evm/chainState.ts';
import { readInstance } from '../../core/evm/instance.ts';
import { findSubmitted } from '../../core/outbox/findSubmitted.ts';
import { signTransactions } from '../../core/signing/signing.ts';
import { whyDropped } from '../ports/whyDropped.ts';
import {
  accept,
  isEmpty,
  key,
  kube,
  lookUntil,
  network,
  queueOf,
  rpcOf,
  scene,
  service,
  transfer,
  useQueueScene,
} from './testing/queueScene.ts';

useQueueScene();

test('a nonce that is missing in a queue of the service account is filled', async () => {
  const rpc = rpcOf(network);
  await rpc.call('anvil_setBalance', [service.address, '0xde0b6b3a7640000']);
  const queue = { ...queueOf(network), signer: service.address };
  const serviceKey = Buffer.from(service.privateKey.slice(2), 'hex');
  const { node } = await accepting();
  await accept([transfer()], network, { queue, key: serviceKey, node: { ...node, pendingCount: 2 } });
  await lookUntil(isEmpty, network, queue);
  expect(await countNonces(rpc, service.address, 'latest')).toBe(3);
});

async function accepting() {
  const instance = await readInstance(rpcOf(network));
  return { node: { instance, countNonces: async () => 2, areKnown: async () => [] } };
}

describe('a caller that waits for a transaction under an idempotency key', () => {
  const idempotencyKey = 'deploy token';
  const ref = () => ({ namespace: scene.user.namespace, id: network.id });

  test('learns that it was dropped, and why', async () => {
    const [hash = ''] = await accept([transfer()], network, { idempotencyKey });
    expect(await whyDropped(kube, ref(), { idempotencyKey, hash })).toBeUndefined();
    const [foreign] = signTransactions(key, [{ ...transfer({ value: '99' }), nonce: 0 }]);
    await rpcOf(network).call('eth_sendRawTransaction', [foreign!.raw]);
    await lookUntil(isEmpty);
    expect((await findSubmitted(kube, ref(), idempotencyKey))?.results).toMatchObject([{ state: 'dropped' }]);
    expect(await whyDropped(kube, ref(), { idempotencyKey, hash })).toContain('its nonce 0 was used');
  });

  test('learns that the chain was rolled back past one that was mined, and nothing of one that is open under another key', async () => {
    const [mined = ''] = await accept([transfer()], network, { idempotencyKey });
    await lookUntil(isEmpty);
    expect(await whyDropped(kube, ref(), { idempotencyKey, hash: mined })).toContain('rolled back');
    const [open = ''] = await accept([transfer({ value: '2' })]);
    expect(await whyDropped(kube, ref(), { idempotencyKey: 'other', hash: open })).toBeUndefined();
  });

  test('learns that one is gone that is neither open nor recorded', async () => {
    const hash = `0x${'12'.repeat(32)}`;
    expect(await whyDropped(kube, ref(), { idempotencyKey, hash })).toContain('not on the chain');
  });
});
