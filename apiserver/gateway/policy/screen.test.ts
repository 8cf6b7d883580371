import { call } from '../testing/fixtures.ts';
import { screen } from './screen.ts';
import { evmJsonRpc } from './services.ts';

const policy = { ...evmJsonRpc, ports: ['rpc'], needs: 'public', hasHttp: true } as const;
const countIn = (body: unknown) => screen(Buffer.from(JSON.stringify(body)), 'public', policy).transactions;

test.each([
  ['a signed transaction', call('eth_sendRawTransaction', ['0x']), 1],
  ['one whose receipt is waited for', call('eth_sendRawTransactionSync', ['0x']), 1],
  ['a read', call('eth_getTransactionCount', []), 0],
  ['a batch', ['eth_sendRawTransaction', 'eth_call', 'eth_sendRawTransaction'].map((name) => call(name)), 2],
  ['a batch with what is refused', ['eth_sendRawTransaction', 'evm_mine'].map((name) => call(name)), 1],
  ['what cannot be read', 'no call', 0],
])('of %s, %j, the transactions that go to the node are counted', (_what, body, count) => {
  expect(countIn(body)).toBe(count);
});
