import { eventually } from '../../../../apiserver/testing/eventually.ts';
import {
  callSolana,
  type RunningSolanaDev,
  solanaDevSkipReason,
  startSolanaDev,
} from '../../../../core/chains/solana/testing/startSolanaDev.ts';
import { systemClock } from '../../../../core/lib/clock.ts';
import { openHeads } from '../../../../core/networks/heads/openHeads.ts';
import { subscriptions } from '../../../../core/networks/heads/subscriptions.ts';
import { at, quantityAt } from '../fields.ts';
import type { Reader } from '../reader.ts';
import { nodeReader } from '../testing/nodeReader.ts';
import { slotOf, solanaTransactionOf } from './model.ts';

const suite = solanaDevSkipReason ? describe.skip : describe;
const hotAddress = 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z';
const friend = '7fUAJdStEuGbc3sM84cKRL6yYaaSstyLSU4ve5oovLS7';

suite('a real Solana node', () => {
  let node: RunningSolanaDev;
  let reader: Reader;
  let signature: string;
  beforeAll(async () => {
    node = await startSolanaDev({ hotAddress });
    reader = nodeReader(node.url);
    signature = String(await callSolana(node, 'requestAirdrop', friend, 1_500_000_001));
  });
  afterAll(() => node?.stop());

  /** The transaction, once the node has it in a block. */
  function mined(): Promise<unknown> {
    const options = { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0, commitment: 'confirmed' };
    const read = async () => (await reader.ask([['getTransaction', signature, options]]))[0]?.result;
    return eventually(read, (transaction) => Boolean(transaction));
  }

  it('has transactions with what they do and whom they change', async () => {
    const transaction = solanaTransactionOf(await mined());
    expect(transaction).toMatchObject({ signature, isSuccess: true, error: undefined });
    expect(transaction?.changes).toContainEqual({ account: friend, before: 0n, after: 1_500_000_001n });
    expect(transaction?.instructions[0]).toMatchObject({ program: 'system', type: 'transfer' });
  });

  it('has slots with the signatures of their transactions', async () => {
    const slot = quantityAt(await mined(), 'slot') ?? 0n;
    const options = { transactionDetails: 'signatures', rewards: false, maxSupportedTransactionVersion: 0 };
    const read = async () => {
      const block = await reader.one('getBlock', Number(slot), { ...options, commitment: 'confirmed' });
      return slotOf(slot, block);
    };
    const found = await eventually(read, (block) => block !== undefined);
    expect(found).toMatchObject({ slot, signatures: expect.arrayContaining([signature]) });
  });

  it('has accounts that the explorer reads', async () => {
    await mined();
    const account = at(
      await reader.one('getAccountInfo', friend, { encoding: 'jsonParsed', commitment: 'confirmed' }),
      'value',
    );
    expect(quantityAt(account, 'lamports')).toBe(1_500_000_001n);
  });

  it('sends its newest slot to subscribers', async () => {
    const { solana: subscription } = subscriptions;
    if (!subscription) throw new Error('Solana has subscriptions');
    const heads = Promise.withResolvers<string[]>();
    const seen: string[] = [];
    const close = openHeads({
      url: node.socketUrl,
      subscription,
      clock: systemClock,
      onBegin: () => undefined,
      onHead({ number }) {
        if (seen.push(number) === 2) heads.resolve(seen);
      },
      onEnd: () => heads.reject(new Error('the node ended it')),
    });
    const [first, second] = await heads.promise;
    close();
    expect(Number(second)).toBeGreaterThan(Number(first));
  });
});
