import { createTestCli, type TestCli } from '../../../cli/testing/run.ts';
import { startServer, type TestServer } from '../../../cli/testing/server.ts';

const contract = `0x${'ef'.repeat(20)}`;
const network = { id: 'n1', name: 'net', metadata: {}, spec: { chain: { type: 'Ethereum' } } };
const functionOf = (type: string) => ({
  type: 'function',
  name: 'f',
  stateMutability: 'pure',
  inputs: [{ name: 'a', type }],
  outputs: [{ name: '', type }],
});
const abi = [
  functionOf('int256'),
  functionOf('uint256'),
  { type: 'event', name: 'Anon', anonymous: true, inputs: [{ name: 'a', type: 'uint256', indexed: false }] },
];

let server: TestServer;
let cli: TestCli;
beforeEach(async () => {
  server = await startServer(({ path, body }) => {
    if (!path.endsWith('/chain')) return { status: 200, body: { items: [network], metadata: {} } };
    const isNamed = body.includes('"contracts"');
    const contracts = isNamed ? [{ address: contract, name: 'Odd', abi }] : [];
    return { status: 200, body: { answers: isNamed ? [] : [{ result: `0x${'f'.repeat(64)}` }], contracts } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
});
afterEach(async () => {
  server.close();
  await cli.close();
});

it.each([
  ['f(int256)', '-1\n'],
  ['f(int)', '-1\n'],
  ['f(int256)(bytes32)', `0x${'f'.repeat(64)}\n`],
])('what %s returns is decoded by the ABI, unless the text says it', async (text, expected) => {
  const { stdout } = await cli(['call', 'net', contract, text, '1']);
  expect(stdout).toBe(expected);
});

it('an anonymous event is refused, because no filter finds it', async () => {
  const { code, stderr } = await cli(['logs', 'net', contract, 'Anon']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Anon(uint256) is anonymous')]);
});
