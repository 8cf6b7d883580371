import { maxAnswers } from '../../http/limits/nodeWork.ts';
import { call } from '../testing/fixtures.ts';
import { createServicesOf } from './families.ts';
import { screen } from './screen.ts';

const servicesOf = createServicesOf({ airdrops: 'public' });
const light = { type: 'Ethereum', participants: 0 } as const;
const clients = { type: 'Ethereum', participants: 1 } as const;

function screened(network: Parameters<typeof servicesOf>[0], calls: unknown) {
  const policy = servicesOf(network).get('rpc');
  if (policy?.kind !== 'jsonRpc') throw new Error('rpc is not JSON-RPC');
  return screen(Buffer.from(JSON.stringify(calls)), { access: 'public', policy });
}

it.each([
  ...['eth_getLogs', 'eth_getFilterLogs', 'eth_getFilterChanges', 'eth_getBlockReceipts', 'eth_getProof'],
  ...['eth_feeHistory', 'ots_getBlockTransactions', 'erigon_getLogs', 'txpool_content'],
])('the answer to %s may have any length', (method) => {
  expect(screened(light, call(method)).work).toEqual({ computing: 0, answers: 4 });
  expect(screened(clients, call(method)).work).toEqual({ computing: 0, answers: 4 });
});

it.each(['eth_blockNumber', 'eth_getBalance', 'eth_getTransactionCount', 'eth_sendRawTransaction'])(
  'the answer to %s is short',
  (method) => {
    expect(screened(light, call(method, ['0x1'])).work).toEqual({ computing: 0, answers: 0 });
  },
);

it('a block is long with its whole transactions, and a transaction is as long as one', () => {
  const answers = (method: string, params: unknown[]) => screened(light, call(method, params)).work.answers;
  expect(answers('eth_getBlockByNumber', ['latest', true])).toBe(4);
  expect(answers('eth_getBlockByNumber', ['latest', false])).toBe(0);
  expect(answers('eth_getTransactionReceipt', ['0x1'])).toBe(1);
});

it('a trace computes in a light engine, and only answers elsewhere', () => {
  expect(screened(light, call('trace_block', ['0x1'])).work).toEqual({ computing: 1, answers: 0 });
  expect(screened(clients, call('trace_block', ['0x1'])).work).toEqual({ computing: 0, answers: 4 });
});

it.each([
  ['Solana', 'getProgramAccounts'],
  ['Thorchain', 'tx_search'],
] as const)('the nodes of %s have long answers, too', (type, method) => {
  expect(screened({ type }, call(method)).work.answers).toBe(4);
});

it('a batch that is too much for a light engine is sent in parts', () => {
  const batch = (count: number) => Array.from({ length: count }, (_, id) => call('eth_getLogs', [{}], id));
  expect(screened(light, batch(3)).steps).toEqual([]);
  expect(screened(light, batch(maxAnswers)).steps).toHaveLength(maxAnswers);
});
