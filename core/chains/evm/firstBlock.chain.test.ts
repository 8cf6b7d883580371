import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { systemContractsForTests } from '../../../hack/contracts/forTests.ts';
import { startPlainAnvil } from '../../evm/testing/plainAnvil.ts';
import type { EnginePart, PlanInput } from '../driver.ts';
import { driverOf } from '../registry.ts';
import { planContext } from '../testing/planContext.ts';
import { callRpc, type RunningAnvil, startAnvil } from './testing/startAnvil.ts';

interface Block {
  hash: string;
  parentHash: string;
  timestamp: string;
}

const persistent = { isPersistent: true };

function partOf(fork?: PlanInput['fork']): EnginePart {
  const [part] =
    driverOf('Ethereum')?.plan({
      chain: { type: 'Ethereum' },
      chainId: '1100000002',
      mnemonicAddresses: [],
      ...planContext,
      systemContracts: systemContractsForTests(),
      ...(fork ? { fork } : {}),
    }).parts ?? [];
  if (!part) throw new Error('Ethereum has no engine');
  return part;
}

const blockOf = async ({ url }: { url: string }, number: string) =>
  (await callRpc(url, 'eth_getBlockByNumber', number, false)) as Block;
const mine = ({ url }: RunningAnvil) => callRpc(url, 'evm_mine');
const offsetOf = ({ url }: RunningAnvil) => callRpc(url, 'evm_increaseTime', 0);

/** The engine sets its clock in the moment after it answers. */
async function reachOffset(chain: RunningAnvil, seconds: number): Promise<void> {
  while ((await offsetOf(chain)) !== seconds) await new Promise(setImmediate);
}

let chain: RunningAnvil | undefined;
afterEach(async () => {
  await chain?.stop();
  chain = undefined;
});

describe.each<[string, object]>([
  ['persistent', persistent],
  ['not persistent', {}],
])('a chain that is %s', (_kind, options) => {
  it('has one block 0 for its life, which is the parent of block 1', async () => {
    chain = await startAnvil(partOf(), '', options);
    const first = await blockOf(chain, '0x0');
    for (let restart = 0; restart < 3; restart++) {
      chain = await chain.restart();
      expect((await blockOf(chain, '0x0')).hash).toBe(first.hash);
    }
    await mine(chain);
    for (let restart = 0; restart < 3; restart++) {
      chain = await chain.restart();
      expect((await blockOf(chain, '0x0')).hash).toBe(first.hash);
      expect((await blockOf(chain, 'earliest')).hash).toBe(first.hash);
      expect((await blockOf(chain, '0x1')).parentHash).toBe(first.hash);
    }
  });

  it('keeps the offset that a user gave its clock, and no block is older than the one before it', async () => {
    chain = await startAnvil(partOf(), '', options);
    await callRpc(chain.url, 'evm_increaseTime', 7200);
    await mine(chain);
    for (let restart = 0; restart < 2; restart++) {
      const before = await blockOf(chain, 'latest');
      chain = await chain.restart();
      await reachOffset(chain, 7200);
      await mine(chain);
      expect(Number((await blockOf(chain, 'latest')).timestamp)).toBeGreaterThanOrEqual(
        Number(before.timestamp),
      );
    }
  });
});

/** What an engine saved that never took a block 0 out of its dumps, after so many restarts. */
async function formerDump(restarts: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-former-'));
  try {
    const file = (run: number) => join(folder, `${run}.json`);
    writeFileSync(file(0), partOf().files['/etc/slipway/state.json'] ?? '');
    for (let run = 0; run <= restarts; run++) {
      // Each process is of another second.
      const time = String(1_790_000_000 + run * 10);
      const args = ['--accounts', '0', '--timestamp', time, '--load-state', file(run)];
      const anvil = await startPlainAnvil(args);
      await callRpc(anvil.url, 'evm_mine');
      const dump = String(await callRpc(anvil.url, 'anvil_dumpState'));
      writeFileSync(file(run + 1), gunzipSync(Buffer.from(dump.slice(2), 'hex')));
      await anvil.close();
    }
    return readFileSync(file(restarts + 1), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Puts a dump where the entry point keeps what it has saved. */
function save(data: string, dump: string): void {
  const [sum, size] = execFileSync('cksum', { input: dump, encoding: 'utf8' }).split(' ');
  writeFileSync(join(data, `chain.1900000000.${sum}.${size?.trim()}.json`), dump);
}

it.each<[string, (dump: string) => Promise<RunningAnvil>]>([
  [
    'a saved state',
    async (dump) => {
      const before = await startAnvil(partOf(), '', persistent);
      return before.crash(() => save(before.data, dump));
    },
  ],
  ['a snapshot', (dump) => startAnvil(partOf(), '', { snapshot: [gzipSync(dump)] })],
])('%s with several blocks 0, as engines made them before, goes on with the first', async (_kind, start) => {
  const dump = await formerDump(3);
  expect(dump.match(/"number":"0x0","gasLimit"/g)).toHaveLength(4);
  chain = await start(dump);
  const [first, second, last] = await Promise.all(
    ['0x0', '0x1', 'latest'].map((number) => blockOf({ url: chain?.url ?? '' }, number)),
  );
  expect(second?.parentHash).toBe(first?.hash);
  expect(Number(first?.timestamp)).toBe(1_790_000_000);
  await mine(chain);
  expect(Number((await blockOf(chain, 'latest')).timestamp)).toBeGreaterThan(Number(last?.timestamp));
  chain = await chain.restart();
  expect((await blockOf(chain, '0x0')).hash).toBe(first?.hash);
});

it('a fork keeps the offset of its clock', async () => {
  const source = await startAnvil(partOf());
  try {
    await mine(source);
    chain = await startAnvil(partOf({ blockHeight: '1' }), source.url);
    await callRpc(chain.url, 'anvil_setTime', Math.floor(Date.now() / 1000) + 5000);
    const offset = Number(await offsetOf(chain));
    await mine(chain);
    const last = await blockOf(chain, 'latest');
    chain = await chain.restart();
    await reachOffset(chain, offset);
    await mine(chain);
    expect(Number((await blockOf(chain, 'latest')).timestamp)).toBeGreaterThanOrEqual(Number(last.timestamp));
  } finally {
    await source.stop();
  }
});

it('evm_revert sets the clock to the block that it goes back to, also if it was moved and nothing mined before', async () => {
  chain = await startAnvil(partOf());
  await callRpc(chain.url, 'evm_increaseTime', 7200);
  await mine(chain);
  await callRpc(chain.url, 'evm_increaseTime', 3600);
  const id = await callRpc(chain.url, 'evm_snapshot');
  await mine(chain);
  await callRpc(chain.url, 'evm_increaseTime', 60_000);
  await callRpc(chain.url, 'evm_revert', id);
  const before = await blockOf(chain, 'latest');
  await mine(chain);
  const passed = Number((await blockOf(chain, 'latest')).timestamp) - Number(before.timestamp);
  expect(passed).toBeGreaterThanOrEqual(0);
  expect(passed).toBeLessThan(3600);
});
