import {
  balanceOf,
  callSolana,
  type RunningSolanaDev,
  solanaDevSkipReason,
  startSolanaDev,
} from '../core/chains/solana/testing/startSolanaDev.ts';
import { type CountingSource, type RunningProxy, startProxy, startRelay } from './testing/proxy.ts';

const suite = solanaDevSkipReason ? describe.skip : describe;

const touched = '7fUAJdStEuGbc3sM84cKRL6yYaaSstyLSU4ve5oovLS7';
const untouched = 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z';

const give = (node: RunningSolanaDev, address: string, lamports: number) =>
  callSolana(node, 'surfnet_setAccount', address, { lamports });

suite(`a light Solana fork${solanaDevSkipReason ? ` (${solanaDevSkipReason})` : ''}`, () => {
  let chain: RunningSolanaDev;
  let source: CountingSource;
  let proxy: RunningProxy;
  let fork: RunningSolanaDev;

  beforeAll(async () => {
    chain = await startSolanaDev();
    await give(chain, touched, 7_000_000);
    await give(chain, untouched, 8_000_000);
    source = await startRelay(chain.url);
    proxy = await startProxy({ Solana: source.url });
    fork = await startSolanaDev({ fork: { blockHeight: 'latest' } }, proxy.urlFor('Solana'));
  });
  afterAll(async () => {
    await fork?.stop();
    await proxy?.close();
    await source?.close();
    await chain?.stop();
  });

  it('reads an account when it is first used, once, and writes nothing to the source', async () => {
    expect(await balanceOf(fork, touched)).toBe(7_000_000);
    await give(chain, touched, 9_000_000);
    expect(await balanceOf(fork, touched)).toBe(7_000_000);
    await give(fork, touched, 1_000_000);
    expect(await balanceOf(chain, touched)).toBe(9_000_000);
  });

  it('asks for nothing that the proxy refuses, and never learns its source', async () => {
    expect(await proxy.scrape()).not.toMatch(/slipway_fork_calls_total\{[^}]*refused/);
    const info = JSON.stringify(await callSolana(fork, 'surfnet_getSurfnetInfo'));
    expect(info).not.toMatch(/THE-KEY|\/forks\//);
  });

  it('starts without its source, keeps what it has, and says what it cannot read', async () => {
    await proxy.close();
    fork = await fork.restart();
    expect(await balanceOf(fork, touched)).toBe(1_000_000);
    await expect(balanceOf(fork, untouched)).rejects.toThrow('from remote');
  });

  it('does not begin without its source', async () => {
    const begun = startSolanaDev({ fork: { blockHeight: 'latest' } }, 'http://127.0.0.1:1/');
    await expect(begun).rejects.toThrow(/exited with 1: .*the fork source: /s);
  });
});
