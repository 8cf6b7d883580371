import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { callRpc, type RunningAnvil, startAnvil } from '../../core/chains/evm/testing/startAnvil.ts';
import { driverOf } from '../../core/chains/registry.ts';
import { planContext } from '../../core/chains/testing/planContext.ts';
import { createEvmRpc, type EvmRpc } from '../../core/evm/rpc.ts';
import { systemContractsForTests } from '../../hack/contracts/forTests.ts';
import { readDump } from './dump.ts';

const account = '0x00000000000000000000000000000000000000a5';

function partOf(chainId: string) {
  const plan = driverOf('Ethereum')?.plan({
    chain: { type: 'Ethereum' },
    chainId,
    mnemonicAddresses: [],
    ...planContext,
    systemContracts: systemContractsForTests(),
  });
  const [found] = plan?.parts ?? [];
  if (!found) throw new Error('Ethereum has no engine');
  return found;
}

const heightOf = async ({ url }: RunningAnvil) => Number(await callRpc(url, 'eth_blockNumber'));
const balanceOf = async ({ url }: RunningAnvil) =>
  Number(await callRpc(url, 'eth_getBalance', account, 'latest'));

/** Three parts, so that their order matters. */
function split(bytes: Buffer): Buffer[] {
  const third = Math.ceil(bytes.length / 3);
  return [0, 1, 2].map((index) => bytes.subarray(index * third, (index + 1) * third));
}

/** The dump of a chain with five blocks and a balance of 5. */
async function takeDump() {
  const chain = await startAnvil(partOf('1100000001'));
  try {
    await callRpc(chain.url, 'anvil_setBalance', account, '0x5');
    await callRpc(chain.url, 'anvil_mine', '0x5');
    const dump = await readDump(createEvmRpc({ url: chain.url }));
    const hash = await hashOfBlock(chain, 5);
    return { dump, hash };
  } finally {
    await chain.stop();
  }
}

async function hashOfBlock({ url }: RunningAnvil, number: number): Promise<unknown> {
  const block = (await callRpc(url, 'eth_getBlockByNumber', `0x${number.toString(16)}`, false)) as {
    hash?: string;
  } | null;
  return block?.hash;
}

let taken: Awaited<ReturnType<typeof takeDump>>;
beforeAll(async () => {
  taken = await takeDump();
});

it('a dump names its last block', () => {
  expect(taken.dump.block).toBe(5);
});

describe.each([
  ['a chain', false],
  ['a chain on a volume', true],
])('%s that begins from a snapshot', (_name, isPersistent) => {
  let chain: RunningAnvil;
  beforeEach(async () => {
    const snapshot = split(taken.dump.bytes);
    chain = await startAnvil(partOf('1100000002'), '', { isPersistent, snapshot });
  });
  afterEach(() => chain.stop());

  it('has its blocks and balances, under its own chain id', async () => {
    expect(await heightOf(chain)).toBe(5);
    expect(await balanceOf(chain)).toBe(5);
    expect(await hashOfBlock(chain, 5)).toBe(taken.hash);
    expect(await callRpc(chain.url, 'eth_chainId')).toBe('0x4190ab02');
  });

  it('goes on after a restart, also when the snapshot is gone', async () => {
    await callRpc(chain.url, 'anvil_mine', '0x2');
    for (const file of readdirSync(chain.snapshotFolder)) rmSync(join(chain.snapshotFolder, file));
    chain = await chain.restart();
    expect(await heightOf(chain)).toBe(7);
  });
});

it('a crash begins the chain again from the snapshot', async () => {
  let chain = await startAnvil(partOf('1100000002'), '', { snapshot: split(taken.dump.bytes) });
  await callRpc(chain.url, 'anvil_mine', '0x2');
  chain = await chain.crash();
  const height = await heightOf(chain);
  await chain.stop();
  expect(height).toBe(5);
});

it.each([
  ['without its parts', []],
  ['without its last part', split],
])('an engine %s says that the snapshot is incomplete, and begins no empty chain', async (_name, parts) => {
  const snapshot = typeof parts === 'function' ? parts(taken.dump.bytes).slice(0, 2) : parts;
  await expect(startAnvil(partOf('1100000002'), '', { snapshot })).rejects.toThrow(
    'the snapshot "before" that this chain begins from is gone or incomplete',
  );
});

const answering = (result: unknown): EvmRpc => ({ call: async () => result, batch: async () => [] });
const hexOf = (bytes: Buffer) => `0x${bytes.toString('hex')}`;

it.each([
  ['is not text', { state: '0x' }, 'is not hexadecimal'],
  ['is not gzip data', '0x1234', 'is not gzip'],
  ['is cut off', () => hexOf(taken.dump.bytes.subarray(0, -20)), 'is not gzip'],
  ['is something else', hexOf(gzipSync('{"result":1}')), 'is not a complete state'],
])('a dump that %s is not taken', async (_name, answer, reason) => {
  const result = typeof answer === 'function' ? answer() : answer;
  await expect(readDump(answering(result))).rejects.toMatchObject({
    reason: 'Unavailable',
    message: `the state that the engine returned ${reason}`,
  });
});
