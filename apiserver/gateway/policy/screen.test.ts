import { call } from '../testing/fixtures.ts';
import { screen } from './screen.ts';
import { evmJsonRpc } from './services.ts';

const policy = { ...evmJsonRpc, ports: ['rpc'], needs: 'public', hasHttp: true } as const;
const countIn = (body: unknown) =>
  screen(Buffer.from(JSON.stringify(body)), { access: 'public', policy }).transactions;

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

const refusalOf = (method: string) =>
  screen(Buffer.from(JSON.stringify(call(method))), { access: 'admin', policy }).refusals.join();

it('says why no URL changes the chain id, and where it is set', () => {
  expect(refusalOf('anvil_setChainId')).toContain('the chain id of a network never changes while it runs');
  expect(refusalOf('anvil_setChainId')).toContain('set chainID in its spec');
  expect(refusalOf('anvil_reset')).toContain('anvil_reset is not available on this service"');
});
