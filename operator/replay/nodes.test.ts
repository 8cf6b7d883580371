import { aNetwork } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { createPlaces } from './nodes.ts';

const answering = (answer: string): EvmRpc => ({ call: async () => answer, batch: async () => [] });

it('what reads a network asks the node that it has by then', async () => {
  const status = {
    state: 'Operational' as const,
    chainID: '1',
    enclaveID: 'a',
    instance: { pod: 'p', process: 'x', restarts: 0 },
  };
  let network = asStored(aNetwork({ status }));
  let node: EvmRpc | undefined = answering('first');
  const placeOf = createPlaces({
    networks: { byIndex: () => [network] },
    rpcOf: () => node,
    touch: () => undefined,
    holdSeconds: 0,
  });
  const { rpc } = await placeOf(network.metadata.namespace, network.metadata.uid, systemClock);
  const ask = () => rpc.call('eth_blockNumber', []);
  expect(await ask()).toBe('first');
  node = undefined;
  expect(await ask()).toBe('first');
  node = answering('second');
  expect(await ask()).toBe('second');
  // What another chain lacks was not lost, nor is it to be mined there.
  const previousChain = { enclaveID: 'a', endedAt: '2031-01-01T00:00:00Z', reason: 'the state was reset' };
  network = asStored(aNetwork({ status: { ...status, enclaveID: 'b', previousChain } }));
  await expect(ask()).rejects.toMatchObject({ reason: 'Conflict' });
  await expect(rpc.batch([])).rejects.toMatchObject({ reason: 'Conflict' });
});
