import { Interface } from 'ethers';
import { SlipwayError } from '../../../../../sdk/src/error.ts';
import type { Reader } from '../../reader.ts';
import { explained } from './explained.ts';
import { sendByKey } from './sendByKey.ts';

const text = ['error TooBig(uint256 max, string why)'];
const abi = JSON.parse(new Interface(text).formatJson());
const tried = { from: `0x${'11'.repeat(20)}`, to: `0x${'22'.repeat(20)}`, data: '0x01', value: '16' };
const refused = () => Promise.reject(new Error('the gas cannot be estimated'));

function answering(error?: { message: string; data?: unknown }) {
  const asked: unknown[] = [];
  const ask: Reader['ask'] = async (calls) => {
    asked.push(...calls);
    return [error ? { error } : { result: '0x' }];
  };
  return { asked, deps: { reader: { ask }, abi } };
}

it('a refusal says why the contract reverts, by its own error', async () => {
  const data = new Interface(text).encodeErrorResult('TooBig', [10n, 'sorry']);
  const { asked, deps } = answering({ message: 'execution reverted', data });
  await expect(explained(refused(), deps, tried)).rejects.toThrow('It would revert: TooBig(10, sorry)');
  expect(asked).toEqual([['eth_call', { ...tried, value: '0x10' }, 'latest']]);
});

it('an error that nobody knows is said in the words of the node', async () => {
  const { deps } = answering({ message: 'execution reverted: 0x12345678' });
  await expect(explained(refused(), deps, tried)).rejects.toThrow('execution reverted: 0x12345678');
});

it.each([
  ['the call works', undefined],
  ['the node refuses it for another reason', { message: 'insufficient funds' }],
])('what was refused for another reason is said as it was: %s', async (_why, error) => {
  const { deps } = answering(error);
  await expect(explained(refused(), deps, tried)).rejects.toThrow('the gas cannot be estimated');
});

it('what may have been sent is not said to be refused, although it reverts by now', async () => {
  const { asked, deps } = answering({ message: 'execution reverted: it is done' });
  const lost = new SlipwayError('it is not known whether it was sent', {
    reason: 'Unavailable',
    details: [{ path: 'transactions_by_network.one', message: 'the node has not answered' }],
  });
  const client = { transactions: { submit: () => Promise.reject(lost) } } as never;
  const sending = sendByKey(client, 'one', { data: '0x01', value: '0' });
  await expect(explained(sending, deps, tried)).rejects.toThrow('the node has not answered');
  await expect(explained(Promise.reject(lost), deps, tried)).rejects.toBe(lost);
  expect(asked).toEqual([]);
});

it('what was sent is answered, and nothing is asked', async () => {
  const { asked, deps } = answering();
  expect(await explained(Promise.resolve('0xab'), deps, tried)).toBe('0xab');
  expect(asked).toEqual([]);
});
