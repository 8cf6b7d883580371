import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evmHeadCall } from '../../core/chains/headCalls.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { createLauncher, questionOf } from './launcher.ts';
import { createRealLauncher, type RealLauncher } from './testing/realLauncher.ts';

const question = questionOf(evmHeadCall);
const client = createLauncher({ clock: systemClock });
let pod: RealLauncher;
beforeEach(async () => {
  pod = await createRealLauncher();
  pod.start();
});
afterEach(() => pod.remove());

/** Resolves once the launcher or the engine answers at the pod's port, with the status of its answer. */
async function listens(): Promise<number> {
  for (;;) {
    try {
      return (await fetch(pod.address.url, { method: 'POST', body: '{}' })).status;
    } catch {
      await systemClock.sleep(5);
    }
  }
}

async function launch(chainId = '777', address = pod.address) {
  await listens();
  const plan = pod.planOf(chainId);
  return client.launch(address, plan, question);
}

const call = (method: string, ...params: unknown[]) =>
  createEvmRpc({ url: pod.address.url }).call(method, params);
const chainId = async () => Number(await call('eth_chainId'));
const height = async () => Number(await call('eth_blockNumber'));

it('a waiting pod tells everybody that there is no engine yet', async () => {
  expect(await listens()).toBe(503);
});

it('is alive while it waits, and as the engine', async () => {
  await listens();
  expect(await pod.checkAlive()).toBe(0);
  await launch();
  expect(await pod.checkAlive()).toBe(0);
});

it('becomes the engine in the same process, with the arguments and files of the plan', async () => {
  expect(await launch()).toBe('answered');
  expect(await chainId()).toBe(777);
  expect(readFileSync(`/proc/${pod.pid()}/cmdline`, 'utf8')).toContain('entrypoint.sh');
  // A system contract of the state in the plan's file.
  expect(await call('eth_getCode', '0x4e59b44847b379578588920cA78FbF26c0B4956C', 'latest')).not.toBe('0x');
});

it('is handed the same plan again at any time without any effect', async () => {
  expect(await launch()).toBe('answered');
  await call('anvil_mine', '0x5');
  expect(await launch()).toBe('answered');
  expect(await client.handOver(pod.address, pod.planOf('777'))).toBe('open');
  expect(await height()).toBe(5);
});

it('takes one plan: another one does not change the engine', async () => {
  expect(await launch()).toBe('answered');
  await launch('778');
  expect(await chainId()).toBe(777);
});

it('refuses who has not its secret, and goes on waiting', async () => {
  expect(await launch('666', { ...pod.address, secret: 'of another pod' })).toBe('refused');
  expect(await listens()).toBe(503);
  expect(await launch()).toBe('answered');
});

it('answers as the engine also to an operator that no longer has its secret', async () => {
  expect(await launch()).toBe('answered');
  expect(await launch('777', { ...pod.address, secret: '' })).toBe('answered');
});

it('refuses a plan that writes outside its folder', async () => {
  await listens();
  const plan = { ...pod.planOf('777'), files: { [join(pod.folder, '..', 'elsewhere')]: 'x' } };
  expect(await client.handOver(pod.address, plan)).toBe('refused');
  expect(await listens()).toBe(503);
});

it('keeps its plan to itself', async () => {
  await launch();
  expect(statSync(join(pod.folder, 'plan.json')).mode & 0o777).toBe(0o600);
});

it('a container that starts again is the engine at once, with a new chain after a crash as without a launcher', async () => {
  await launch();
  await call('anvil_mine', '0x5');
  await pod.crash();
  pod.start();
  await listens();
  expect(await chainId()).toBe(777);
  expect(await height()).toBe(0);
});

it('a Restart keeps the chain', async () => {
  await launch();
  await call('anvil_mine', '0x5');
  expect(await pod.terminate()).toBe(0);
  pod.start();
  await listens();
  expect(await height()).toBe(5);
});

it('a container whose plan was torn waits, and gets it again', async () => {
  await launch();
  await pod.crash();
  writeFileSync(join(pod.folder, 'plan.json'), '{"args": [');
  pod.start();
  expect(await listens()).toBe(503);
  expect(await launch()).toBe('answered');
  expect(await chainId()).toBe(777);
});

it('ends at once when it is told to while it waits', async () => {
  await listens();
  expect(await pod.terminate()).toBe(0);
});

it('is not kept from its plan by connections that say nothing', async () => {
  await listens();
  const silent = Array.from({ length: 8 }, () => {
    const aborter = new AbortController();
    const body = new ReadableStream({ pull: () => new Promise(() => {}) });
    const options = { method: 'POST', body, duplex: 'half', signal: aborter.signal } as RequestInit;
    fetch(`${pod.address.url}/plan`, options).catch(() => undefined);
    return aborter;
  });
  expect(await launch()).toBe('answered');
  for (const aborter of silent) aborter.abort();
});

it('waits with less than 8 MiB of memory', async () => {
  await listens();
  const status = readFileSync(`/proc/${pod.pid()}/status`, 'utf8');
  expect(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(8 * 1024);
});
