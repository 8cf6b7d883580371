import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  balanceOf,
  callSolana,
  type RunningSolanaDev,
  solanaDevSkipReason,
  startSolanaDev,
} from './testing/startSolanaDev.ts';

const suite = solanaDevSkipReason ? describe.skip : describe;

const hotAddress = 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z';
const friend = '7fUAJdStEuGbc3sM84cKRL6yYaaSstyLSU4ve5oovLS7';
const sol = 1_000_000_000;
const genesisBalance = 500_000_000 * sol;

const genesisOf = (node: RunningSolanaDev) => callSolana(node, 'getGenesisHash');

/** Gives SOL to an account and resolves with the signature once a slot has confirmed it. */
async function drop(node: RunningSolanaDev, address: string, lamports: number): Promise<unknown> {
  const signature = await callSolana(node, 'requestAirdrop', address, lamports);
  for (;;) {
    const answer = await callSolana(node, 'getSignatureStatuses', [signature]);
    const [status] = (answer as { value: ({ confirmationStatus: string } | null)[] }).value;
    if (status && status.confirmationStatus !== 'processed') return signature;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Runs a test's chain, and stops it whatever happens. */
async function withChain(test: (chain: RunningSolanaDev) => Promise<RunningSolanaDev>): Promise<void> {
  const first = await startSolanaDev({ hotAddress });
  try {
    await (await test(first)).stop();
  } finally {
    await first.stop();
  }
}

suite(`the light node${solanaDevSkipReason ? ` (${solanaDevSkipReason})` : ''}`, () => {
  it('a chain has its balances, its history and its genesis after each of five SIGKILLs', () =>
    withChain(async (first) => {
      const genesis = await genesisOf(first);
      let chain = first;
      for (let round = 1; round <= 5; round += 1) {
        const signature = await drop(chain, friend, sol);
        chain = await chain.crash();
        expect([await balanceOf(chain, friend), await genesisOf(chain)]).toEqual([round * sol, genesis]);
        const found = await callSolana(chain, 'getTransaction', signature, { encoding: 'base64' });
        expect(found).toMatchObject({ slot: expect.any(Number) });
      }
      return chain;
    }));

  it('the hot key is funded once, not at every start', () =>
    withChain(async (first) => {
      expect(await balanceOf(first, hotAddress)).toBe(genesisBalance);
      await drop(first, hotAddress, sol);
      const restarted = await first.restart();
      expect(await balanceOf(restarted, hotAddress)).toBe(genesisBalance + sol);
      return restarted;
    }));

  it('another chain has another genesis', async () => {
    const [one, other] = await Promise.all([startSolanaDev(), startSolanaDev()]);
    try {
      expect(await genesisOf(one)).not.toBe(await genesisOf(other));
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
  });

  it('its database does not grow with its restarts', () =>
    withChain(async (first) => {
      const size = ({ data }: RunningSolanaDev) => statSync(join(data, 'chain.sqlite')).size;
      let chain = await (await first.restart()).restart();
      const before = size(chain);
      for (let round = 0; round < 4; round += 1) chain = await chain.restart();
      // A single start adds about 1.5 MB where nothing is removed.
      expect(size(chain)).toBeLessThan(before + 500_000);
      return chain;
    }));
});
