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
  const network = asStored(aNetwork({ status }));
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
});
