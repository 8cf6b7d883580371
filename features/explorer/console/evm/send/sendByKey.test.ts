import { SlipwayError } from '../../../../../sdk/src/error.ts';
import { sendByKey } from './sendByKey.ts';

const clientThat = (answer: object) => ({ transactions: { submit: async () => answer } }) as never;
const item = { to: `0x${'11'.repeat(20)}`, value: '1' };

it('a transaction is signed by the service, and its hash is the answer', async () => {
  const answer = { tx_hashes_by_network: { one: ['0xab'] } };
  expect(await sendByKey(clientThat(answer), 'one', item)).toBe('0xab');
});

it('what the network refuses is said in its own words', async () => {
  const refused = { reason: 'BadRequest', message: 'nothing was accepted' };
  const answers = [
    { tx_hashes_by_network: {}, errors_by_network: { one: refused } },
    {
      tx_hashes_by_network: {},
      errors_by_network: { one: { ...refused, details: [{ path: 'x', message: 'out of funds' }] } },
    },
  ];
  await expect(sendByKey(clientThat(answers[0] ?? {}), 'one', item)).rejects.toThrow('nothing was accepted');
  await expect(sendByKey(clientThat(answers[1] ?? {}), 'one', item)).rejects.toThrow('out of funds');
});

it('a refusal of the request says what is wrong, without where in it', async () => {
  const details = [{ path: 'transactions_by_network.one[0].value', message: 'the account holds 5 wei' }];
  const error = new SlipwayError('nothing was accepted: one: none of them', {
    reason: 'BadRequest',
    details,
  });
  const client = { transactions: { submit: () => Promise.reject(error) } } as never;
  await expect(sendByKey(client, 'one', item)).rejects.toThrow(/^the account holds 5 wei$/);
});
