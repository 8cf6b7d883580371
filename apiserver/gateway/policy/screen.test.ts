import { call } from '../testing/fixtures.ts';
import { screen } from './screen.ts';
import { evmJsonRpc } from './services.ts';

const policy = { ...evmJsonRpc, ports: ['rpc'], needs: 'public', hasHttp: true } as const;
const countIn = (body: unknown) => screen(Buffer.from(JSON.stringify(body)), 'public', policy).transactions;

test.each([
  ['a signed transaction', call('eth_sendRawTransaction', ['0x']), 1],
  ['a transaction that waits for its receipt', call('eth_sendRawTransactionSync', ['0x']), 1],
  ['a read', call('eth_getTransactionCount', []), 0],
  ['a batch', ['eth_sendRawTransaction', 'eth_call', 'eth_sendRawTransaction'].map((name) => call(name)), 2],
  ['a batch with a refused call', ['eth_sendRawTransaction', 'evm_mine'].map((name) => call(name)), 1],
  ['an unreadable body', 'no call', 0],
])('counts the transactions that are sent to the node in %s, %j', (_what, body, count) => {
  expect(countIn(body)).toBe(count);
});
