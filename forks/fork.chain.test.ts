import type { PlanInput } from '../core/chains/driver.ts';
import { callRpc, type RunningAnvil, startAnvil } from '../core/chains/evm/testing/startAnvil.ts';
import { driverOf } from '../core/chains/registry.ts';
import { planContext } from '../core/chains/testing/planContext.ts';
import { systemContractsForTests } from '../hack/contracts/forTests.ts';
import { type CountingSource, type RunningProxy, startProxy, startRelay } from './testing/proxy.ts';

const rich = '0x00000000000000000000000000000000000000a6';
const contract = '0x00000000000000000000000000000000000000c0';

function partOf(chainId: string, blockHeight?: string) {
  const input: PlanInput = {
    chain: { type: 'Base' },
    chainId,
    mnemonicAddresses: [],
    ...planContext,
    systemContracts: systemContractsForTests(),
    ...(blockHeight === undefined ? {} : { fork: { blockHeight } }),
  };
  const [part] = driverOf('Base')?.plan(input).parts ?? [];
  if (!part) throw new Error('Base has no engine');
  return part;
}

describe('the engine of a fork, at a source with a key', () => {
  let chain: RunningAnvil;
  let source: CountingSource;
  let proxy: RunningProxy;
  const forks: RunningAnvil[] = [];

  beforeAll(async () => {
    chain = await startAnvil(partOf('1200000001'));
    await callRpc(chain.url, 'anvil_setBalance', rich, '0x7');
    await callRpc(chain.url, 'anvil_setCode', contract, '0x602a60005260206000f3');
    await callRpc(chain.url, 'anvil_mine', '0x4');
    source = await startRelay(chain.url);
    proxy = await startProxy({ Base: source.url });
  });
  afterAll(async () => {
    for (const fork of forks) await fork.stop();
    await proxy?.close();
    await source?.close();
    await chain?.stop();
  });

  async function fork(networkUid: string, blockHeight: string): Promise<RunningAnvil> {
    const started = await startAnvil(partOf('1200000002', blockHeight), proxy.urlFor('Base', networkUid));
    forks.push(started);
    return started;
  }

  const read = async ({ url }: RunningAnvil) => [
    await callRpc(url, 'eth_getBalance', rich, 'latest'),
    await callRpc(url, 'eth_call', { to: contract, data: '0x' }, 'latest'),
    await callRpc(url, 'eth_getProof', rich, [], '0x3'),
    (await callRpc(url, 'eth_getBlockByNumber', '0x2', false)) !== null,
  ];

  it('reads state, code, proofs and blocks through the proxy, and never learns the key', async () => {
    const own = await fork('u-1', 'latest');
    const [balance, answer, proof, hasBlock] = await read(own);
    expect([balance, hasBlock]).toEqual(['0x7', true]);
    expect(BigInt(String(answer))).toBe(42n);
    expect(proof).toMatchObject({ balance: '0x7' });
    expect(JSON.stringify(await callRpc(own.url, 'anvil_nodeInfo'))).not.toContain('THE-KEY');
    expect(await proxy.scrape()).not.toMatch(/slipway_fork_calls_total\{[^}]*refused/);
  });

  it('asks the source for the state at its block once for all forks', async () => {
    for (let number = 2; number <= 5; number += 1) await read(await fork(`u-${number}`, '4'));
    const kept = [
      'eth_getBalance',
      'eth_getCode',
      'eth_getTransactionCount',
      'eth_getStorageAt',
      'eth_getProof',
    ];
    const texts = source.calls.filter(({ method }) => kept.includes(method)).map(({ text }) => text);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });
});
