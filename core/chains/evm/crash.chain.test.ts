import { readdirSync, readFileSync, statSync, truncateSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toQuantity } from 'ethers';
import { systemContractsForTests } from '../../../hack/contracts/forTests.ts';
import { driverOf } from '../registry.ts';
import { planContext } from '../testing/planContext.ts';
import { callRpc, type RunningAnvil, startAnvil } from './testing/startAnvil.ts';

const part = partOf();
const account = '0x00000000000000000000000000000000000000a5';
const persistent = { isPersistent: true };

function partOf() {
  const [found] =
    driverOf('Ethereum')?.plan({
      chain: { type: 'Ethereum' },
      chainId: '1100000001',
      mnemonicAddresses: [],
      ...planContext,
      systemContracts: systemContractsForTests(),
    }).parts ?? [];
  if (!found) throw new Error('Ethereum has no engine');
  return found;
}

const heightOf = async ({ url }: RunningAnvil) => Number(await callRpc(url, 'eth_blockNumber'));
const balanceOf = async ({ url }: RunningAnvil) =>
  Number(await callRpc(url, 'eth_getBalance', account, 'latest'));

/** The names of the saved chains, oldest first. */
const savedIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('chain.'))
    .sort();
const newestIn = (folder: string) => join(folder, savedIn(folder).at(-1) ?? '');

/** Mines blocks until the chain has this height and balance, and waits until that is saved. */
async function growTo(chain: RunningAnvil, height: number): Promise<void> {
  await callRpc(chain.url, 'anvil_setBalance', account, toQuantity(height));
  await callRpc(chain.url, 'anvil_mine', toQuantity(height - (await heightOf(chain))));
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => heightIn(newestIn(chain.data)) >= height && resolve();
  const watcher = watch(chain.data, check);
  try {
    check();
    await promise;
  } finally {
    watcher.close();
  }
}

/** -1 for a file that is damaged or being replaced. */
function heightIn(file: string): number {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).best_block_number;
  } catch {
    return -1;
  }
}

/** Runs a test's chain, and stops it whatever happens. */
async function withChain(
  options: { isPersistent?: boolean },
  test: (chain: RunningAnvil) => Promise<RunningAnvil>,
): Promise<void> {
  const first = await startAnvil(part, '', options);
  try {
    await (await test(first)).stop();
  } finally {
    await first.stop();
  }
}

const lanes = [1, 2, 3, 4];

it('a persistent chain has what was saved after each of 20 SIGKILLs', async () => {
  const runs = lanes.map(() =>
    withChain(persistent, async (first) => {
      let chain = first;
      for (let round = 1; round <= 20 / lanes.length; round += 1) {
        await growTo(chain, round * 2);
        chain = await chain.crash();
        expect([await heightOf(chain), await balanceOf(chain)]).toEqual([round * 2, round * 2]);
      }
      return chain;
    }),
  );
  await Promise.all(runs);
});

it('a persistent chain that stood still has what was saved when it is ended', () =>
  withChain(persistent, async (first) => {
    await growTo(first, 4);
    first.signal('SIGSTOP');
    const next = await first.crash();
    expect([await heightOf(next), await balanceOf(next)]).toEqual([4, 4]);
    return next;
  }));

describe('a persistent chain whose newest file is damaged by a power failure', () => {
  const damages: [string, (file: string, size: number) => void][] = [
    ['is empty', (file) => truncateSync(file, 0)],
    ['ends after one byte', (file) => truncateSync(file, 1)],
    ['ends in the middle', (file, size) => truncateSync(file, Math.floor(size / 2))],
    ['lacks its last byte', (file, size) => truncateSync(file, size - 1)],
    ['has zeros for data', (file, size) => writeFileSync(file, Buffer.alloc(size))],
  ];

  it('continues from the file before it, at any offset', () =>
    withChain(persistent, async (first) => {
      let chain = first;
      for (const [reason, damage] of damages) {
        const height = await heightOf(chain);
        await growTo(chain, height + 1);
        await growTo(chain, height + 2);
        chain = await chain.crash(() => damage(newestIn(first.data), statSync(newestIn(first.data)).size));
        expect([reason, await heightOf(chain)]).toEqual([reason, height + 1]);
      }
      return chain;
    }));

  it('refuses to begin a new chain when no file is whole', async () => {
    const chain = await startAnvil(part, '', persistent);
    await growTo(chain, 1);
    const damageAll = () => {
      for (const name of savedIn(chain.data)) truncateSync(join(chain.data, name), 10);
    };
    await expect(chain.crash(damageAll)).rejects.toThrow(
      /exited with 1: [\s\S]*all saved states .* are damaged/,
    );
  });
});

it('a dump that was torn by SIGKILL is ignored', () =>
  withChain(persistent, async (chain) => {
    await growTo(chain, 3);
    const next = await chain.crash(() => {
      for (const name of ['next.json', 'taken.json']) writeFileSync(join(chain.data, name), '{"block":{"num');
    });
    expect(await heightOf(next)).toBe(3);
    return next;
  }));

it('a chain that is not persistent survives a restart, and a crash begins a new one', () =>
  withChain({}, async (first) => {
    await callRpc(first.url, 'anvil_mine', toQuantity(5));
    const restarted = await first.restart();
    expect(await heightOf(restarted)).toBe(5);
    const crashed = await restarted.crash();
    expect(await heightOf(crashed)).toBe(0);
    return crashed;
  }));
