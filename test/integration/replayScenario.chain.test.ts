import { Interface, parseEther, Wallet } from 'ethers';
import type { RecordedTransaction, ReplayedTransaction } from '../../core/api/rest/replay.ts';
import type { TransactionItem } from '../../core/api/rest/transaction.ts';
import { evmDrivers } from '../../core/chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../../core/chains/evm/testing/testChain.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import { artifact, creationOf } from '../../core/evm/testing/contracts.ts';
import { compact } from '../../core/lib/compact.ts';
import { refusalWith } from '../../core/lib/errors.ts';
import type { ReplayTarget } from '../../operator/replay/target.ts';
import { replayAll } from '../../operator/replay/testing/replayAll.ts';
import { balancesOf, type Market, runMarket, stranger } from './testing/market.ts';
import { readRecorded } from './testing/recorded.ts';

const caller = new Wallet(`0x${'c4'.repeat(32)}`);
const chains: TestChain[] = [];
afterAll(() => Promise.all(chains.map((chain) => chain.stop())));

async function start(type: 'Ethereum' | 'Optimism' | 'Base' | 'Arbitrum'): Promise<TestChain> {
  const chain = await startTestChain({ type, driver: evmDrivers[type] });
  chains.push(chain);
  await chain.provider.send('anvil_setBalance', [caller.address, `0x${parseEther('10000').toString(16)}`]);
  return chain;
}

/** The transactions of the wallet after a block. */
const record = ({ url, wallet }: TestChain, after = 0) =>
  readRecorded({ url, address: wallet.address }, after);

/** Signs like the service, but without its Outbox. */
function targetOf(chain: TestChain): ReplayTarget & { sent: number[] } {
  const signer = caller.connect(chain.provider);
  const sent: number[] = [];
  return {
    rpc: createEvmRpc({ url: chain.url }),
    chainId: chain.chainId,
    caller: caller.address,
    incarnation: 'first',
    findAccepted: async () => undefined,
    sent,
    async send(items: readonly TransactionItem[]) {
      sent.push(items.length);
      let nonce = await signer.getNonce('pending');
      const hashes: string[] = [];
      for (const { to, value, data, gas_limit: gasLimit = 0 } of items) {
        const request = { ...compact({ to: to ?? undefined }), value, data, gasLimit, nonce: nonce++ };
        hashes.push((await signer.sendTransaction(request)).hash);
      }
      return { hashes, taken: Promise.resolve() };
    },
  };
}

const replay = async (transactions: RecordedTransaction[], target: ReplayTarget) =>
  (await replayAll([{ transactions, target }]))[0] ?? [];
const newAddress = (transactions: RecordedTransaction[], answers: ReplayedTransaction[], former: string) => {
  for (const [index, { contract_address, created_contracts = [] }] of transactions.entries()) {
    if (contract_address === former.toLowerCase()) return answers[index]?.contract_address ?? '';
    const at = created_contracts.indexOf(former.toLowerCase());
    if (at !== -1) return answers[index]?.created_contracts?.[at] ?? '';
  }
  throw new Error(`no transaction created ${former}`);
};

describe('tokens, a factory with its children and a swap pool, recorded on two networks', () => {
  const markets: { chain: TestChain; market: Market; transactions: RecordedTransaction[] }[] = [];
  beforeAll(async () => {
    for (const [type, seed] of [
      ['Ethereum', 3n],
      ['Optimism', 11n],
    ] as const) {
      const chain = await start(type);
      const market = await runMarket(chain, seed);
      markets.push({ chain, market, transactions: await record(chain) });
    }
  });

  it('are captured completely', () => {
    for (const { market, transactions } of markets) {
      expect(transactions.map(({ hash }) => hash)).toEqual(market.receipts.map(({ hash }) => hash));
      const children = transactions.flatMap(({ created_contracts = [] }) => created_contracts);
      expect(children).toContain(market.pair.toLowerCase());
      expect(children).toHaveLength(2);
      expect(transactions.filter(({ status }) => status === 'reverted')).toHaveLength(1);
    }
  });

  it('match transaction by transaction on new networks of other types, with the same final balances', async () => {
    for (const [index, type] of (['Base', 'Arbitrum'] as const).entries()) {
      const source = markets[index];
      if (!source) throw new Error('no transactions were recorded');
      const { market, transactions } = source;
      const chain = await start(type);
      const answers = await replay(transactions, targetOf(chain));
      expect(answers.filter(({ match }) => !match)).toEqual([]);
      expect(answers.map(({ status }) => status)).toEqual(transactions.map(({ status }) => status));
      const formerTokens = [market.tokenA, market.tokenB, market.pair];
      const tokens = formerTokens.map((former) => newAddress(transactions, answers, former));
      expect(tokens).not.toContain('');
      for (const [was, is] of [
        [source.chain.wallet.address, caller.address],
        [stranger, stranger],
        [market.pair, tokens[2] ?? ''],
      ] as const) {
        expect(await balancesOf(chain, tokens, is)).toEqual(
          await balancesOf(source.chain, formerTokens, was),
        );
      }
      expect(await chain.provider.getBalance(stranger)).toBe(
        await source.chain.provider.getBalance(stranger),
      );
    }
  });
});

it('reports exactly the transactions that differ on a network that lacks a contract', async () => {
  const source = await start('Ethereum');
  const own = source.wallet.address;
  const deploy = async () =>
    (await source.send({ data: await creationOf('Token', ['T', 'T', 1_000_000n, own]) })).contractAddress ??
    '';
  const older = await deploy();
  const after = await source.provider.getBlockNumber();
  const token = await deploy();
  const transfer = new Interface(artifact('Token').abi).encodeFunctionData('transfer', [stranger, 5n]);
  await source.send({ to: token, data: transfer });
  await source.send({ to: older, data: transfer });
  await source.send({ to: token, data: transfer });
  const transactions = await record(source, after);
  const answers = await replay(transactions, targetOf(await start('Base')));
  expect(answers.map(({ match }) => match)).toEqual([true, true, false, true]);
  expect(answers[2]?.differences).toEqual([
    'events: 0, recorded: 1',
    'code: none ran, recorded: ran',
    expect.stringMatching(/^gas used: 2\d{4}, recorded: \d{5}$/),
  ]);
});

it('sends the calls to a new contract in one batch, without waiting until it is mined', async () => {
  const source = await start('Ethereum');
  const own = source.wallet.address;
  const creation = await creationOf('Token', ['T', 'T', 1_000_000n, own]);
  const transfer = new Interface(artifact('Token').abi).encodeFunctionData('transfer', [stranger, 5n]);
  const { contractAddress } = await source.send({ data: creation });
  for (let i = 0; i < 5; i++) await source.send({ to: contractAddress, data: transfer });
  const transactions = await record(source);
  const chain = await start('Base');
  const target = targetOf(chain);
  expect((await replay(transactions, target)).every(({ match }) => match)).toBe(true);
  expect(target.sent).toEqual([1, 5]);
});

it('reports transactions that could not be sent as skipped, with the reason', async () => {
  const source = await start('Ethereum');
  for (let i = 0; i < 3; i++) await source.send({ to: stranger, value: 1n });
  const transactions = await record(source);
  const target = { ...targetOf(await start('Base')), send: () => Promise.reject(new Error('no funds')) };
  expect(await replay(transactions, target)).toEqual(
    transactions.map(({ hash }) => ({
      original_hash: hash,
      status: 'skipped',
      match: false,
      differences: ['not sent: no funds'],
    })),
  );
});

it('names the transaction that the service refuses by its place among those that are replayed', async () => {
  const source = await start('Ethereum');
  for (let i = 0; i < 3; i++) await source.send({ to: stranger, value: 1n });
  const transactions = await record(source);
  const refusal = refusalWith('none was sent', [{ path: '[1].value', message: 'is too much' }]);
  const working = targetOf(await start('Base'));
  const send: ReplayTarget['send'] = (...args) =>
    working.sent.length === 0 ? working.send(...args) : Promise.reject(refusal);
  const answers = await replay(transactions, { ...working, send });
  const reason =
    'not sent: transaction 2 of those that are replayed cannot be sent (value: is too much), so no more were sent to this network';
  expect(answers.map(({ status, differences }) => [status, differences])).toEqual([
    ['success', undefined],
    ['skipped', [reason]],
    ['skipped', [reason]],
  ]);
});
