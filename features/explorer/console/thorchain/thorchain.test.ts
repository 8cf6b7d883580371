import { cosmosTransactionOf, hashOf, headerOf } from './model.ts';

/** As THORNode 3.0.0 (CometBFT 0.38.12) answers. */
const meta = {
  block_id: { hash: '3876387FCEE4ECE2A549A9D7861BA6AB5E004F2EB73535A7565629117F3A4345', parts: { total: 1 } },
  block_size: '347',
  header: { height: '1', time: '2026-11-23T00:23:27.293482242Z', proposer_address: 'AB' },
  num_txs: '2',
};

it('reads a block among others, and alone', () => {
  const header = { height: 1n, hash: meta.block_id.hash, at: 1795393407, proposer: 'AB' };
  expect(headerOf(meta)).toEqual({ ...header, transactions: 2 });
  const block = { block_id: meta.block_id, block: { header: meta.header, data: { txs: [] } } };
  expect(headerOf(block)).toEqual({ ...header, transactions: undefined });
  expect(headerOf(null)).toBeUndefined();
});

it('knows the hash of a transaction in a block', async () => {
  const digest = '2CF24DBA5FB0A30E26E83B2AC5B9E29E1B161E5C1FA7425E73043362938B9824';
  expect(await hashOf(btoa('hello'))).toBe(digest);
});

const told = {
  hash: 'AA',
  height: '7',
  tx_result: {
    code: 5,
    log: 'insufficient funds',
    gas_used: '10',
    gas_wanted: '20',
    events: [
      {
        type: 'tx',
        attributes: [
          { key: 'fee', value: '2rune' },
          { key: 'sender', value: 'tthor1' },
        ],
      },
    ],
  },
};
const message = { '@type': '/types.MsgSend', amount: [{ denom: 'rune', amount: '90071992547409931' }] };
const decoded = {
  tx: { body: { messages: [message], memo: 'thanks' } },
  tx_response: { timestamp: '2026-11-23T00:23:27Z' },
};

it('reads a transaction with its messages, and why it failed', () => {
  expect(cosmosTransactionOf(told, decoded)).toEqual({
    hash: 'AA',
    height: 7n,
    isSuccess: false,
    error: 'insufficient funds',
    gasUsed: 10n,
    gasWanted: 20n,
    memo: 'thanks',
    at: 1795393407,
    messages: [{ type: '/types.MsgSend', body: message }],
    events: [{ type: 'tx', attributes: 'fee: 2rune\nsender: tthor1' }],
  });
});

it('has the events of a transaction that nobody can decode', () => {
  expect(cosmosTransactionOf(told, undefined)).toMatchObject({
    messages: undefined,
    events: [{ type: 'tx' }],
  });
  expect(cosmosTransactionOf(undefined, undefined)).toBeUndefined();
});
