import { z } from 'zod';
import { aNetwork, aToken } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { evmDrivers } from '../../core/chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../../core/chains/evm/testing/testChain.ts';
import { readInstance } from '../../core/evm/instance.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import type { Node } from '../../core/outbox/sending/submitAs.ts';
import { findGone } from './gone.ts';

const blockSchema = z.object({ hash: z.string() });

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
});
afterAll(() => chain.stop());

it('a deployment is gone once its chain was rolled back past it, but not when a node only forgot an old transaction or another process answers', async () => {
  const rpc = createEvmRpc({ url: chain.url });
  const published = { pod: 'p-1', process: await readInstance(rpc) };
  const node: Node = {
    rpc,
    published,
    incarnation: 'one',
    chainId: '1',
    osakaGasCap: undefined,
    isCurrent: () => true,
  };
  const network = asStored(aNetwork({ name: 'net' }));
  const snapshot = await rpc.call('evm_snapshot', []);
  const { hash } = await chain.send({ data: '0x600160005360016000f3', gasLimit: 500_000 });
  const deployed = { network: 'net', networkID: network.metadata.uid, state: 'Deployed' } as const;
  const token = aToken({ status: { deployments: [{ ...deployed, deploymentTx: hash }] } });
  const goneAt = async (present: Node | undefined, one = token) => [
    ...(await findGone({ presentNode: () => present }, one, [{ path: 'networks[0]', network }])),
  ];
  expect(await goneAt(node)).toEqual([]);
  const anchor = { block: 1, ...blockSchema.parse(await rpc.call('eth_getBlockByNumber', ['0x1', false])) };
  const old = { ...deployed, deploymentTx: `0x${'77'.repeat(32)}` };
  const forgotten = aToken({ status: { deployments: [{ ...old, anchor }] } });
  expect(await goneAt(node, aToken({ status: { deployments: [old] } }))).toEqual(['net']);
  expect(await goneAt(node, forgotten)).toEqual([]);
  await rpc.call('evm_revert', [snapshot]);
  expect(await goneAt(node)).toEqual(['net']);
  expect(await goneAt(node, forgotten)).toEqual(['net']);
  expect(await goneAt(undefined)).toEqual([]);
  expect(await goneAt({ ...node, published: { pod: 'p-1', process: '0x01' } })).toEqual([]);
});
