import { runProgram } from '../lib/cluster.ts';
import { runForgeCreate, runForgeScript, runForgeTest } from '../lib/foundry.ts';
import { createHotKey, endpointsOf, type HotKey, remove } from '../lib/networks.ts';
import { start } from './families.ts';

/** Foundry's tools on geth and Prysm, through the gateway. */
let key: HotKey;
let id: string;
let urls: Record<string, string>;

beforeAll(async () => {
  key = await createHotKey();
  id = await start('Ethereum', { privateKeyRef: { name: key.name }, blockTime: 2, participants: [{}] });
  urls = await endpointsOf(id);
});
afterAll(() => remove(id));

const signing = () => ({ url: urls.rpc ?? '', key: key.wallet.privateKey });

async function cast(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram('cast', [...args, '--rpc-url', urls.rpc ?? '']);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

it('forge create deploys a contract, cast calls it, and forge tests it on a fork of the chain', async () => {
  const counter = await runForgeCreate('src/Counter.sol:Counter', signing(), ['41']);
  expect(await cast('call', counter, 'number()(uint256)')).toBe('41');
  const sent = await cast('send', counter, 'increment()', '--private-key', key.wallet.privateKey, '--json');
  expect(JSON.parse(sent)).toMatchObject({ status: '0x1', logs: [{ address: counter.toLowerCase() }] });
  expect(await cast('call', counter, 'number()(uint256)')).toBe('42');
  const report = await runForgeTest('CounterTest', urls.rpc ?? '', { COUNTER: counter, EXPECTED: '42' });
  expect(report).toMatch(/2 tests passed, 0 failed/);
  expect(await cast('call', counter, 'number()(uint256)')).toBe('42');
});

it('a forge script deploys contracts in sequence', async () => {
  const nonce = async () => Number(await cast('nonce', key.wallet.address));
  const before = await nonce();
  await runForgeScript('Deploy.s.sol', signing());
  expect(await nonce()).toBe(before + 5);
});

it('has endpoints only for its own nodes', async () => {
  const at = (service: string) => (urls['cl-1'] ?? '').replace(/cl-1$/, service);
  expect((await fetch(`${at('cl-1')}/eth/v1/node/version`)).status).toBe(200);
  for (const service of ['cl-2', 'rest', 'vc-1']) {
    expect((await fetch(`${at(service)}/eth/v1/node/version`)).status).toBe(404);
  }
});
