import { eventually } from '../../apiserver/testing/eventually.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { useCli } from './testing/cliScene.ts';

/** Waits of the command line on the real API server in this process; the test writes what the operator would. */

const scene = useCli();
const { cli } = scene;

const report = (name: string, status: object) =>
  scene.api.kube.patch(networkType, { namespace: 'ws-one', name }, { status }, 'status');
const remove = (name: string) => scene.api.kube.delete(networkType, { namespace: 'ws-one', name });

/** Calls each of `acts` once, when its text has been printed. */
function after(...acts: [text: string, act: () => unknown][]): (printed: string) => void {
  const left = [...acts];
  return (printed) => {
    const [next] = left;
    if (!next || !printed.includes(next[0])) return;
    left.shift();
    next[1]();
  };
}

const pending = (currentStep: number, output: string) => ({
  state: 'Pending',
  execution: { currentStep, totalSteps: 3, output },
});
const create = ['network', 'create', 'a', '--type', 'Arbitrum', '--wait'];

it('create --wait shows each step on a plain line, and prints the network when it is Operational', async () => {
  const { code, stdout, stderr } = await cli([...create, '--json'], {
    onProgress: after(
      ['a: Pending\n', () => report('a', pending(1, 'pulling the image'))],
      ['a: Pending 1/3: pulling the image\n', () => report('a', pending(2, 'starting'))],
      ['a: Pending 2/3: starting\n', () => report('a', { state: 'Operational', chainID: '42' })],
    ),
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).status).toMatchObject({ state: 'Operational', chainID: '42' });
  expect(stderr).toMatch(
    /a: Pending\na: Pending 1\/3: pulling the image\na: Pending 2\/3: starting\na: Operational\n$/,
  );
  expect(stdout + stderr).not.toContain('\u001b');
});

it('create --wait explains what a network waits for', async () => {
  const message = 'engines.thornode is being built, which takes about 3 minutes (since 12:03:10 UTC)';
  const { code, stderr } = await cli(create, {
    onProgress: after(
      ['a: Pending\n', () => report('a', { state: 'Pending', reason: 'EngineBuilding', message })],
      [`a: Pending: ${message}\n`, () => report('a', { state: 'Operational', message: 'running' })],
    ),
  });
  expect([code, stderr]).toEqual([0, expect.stringContaining(`a: Pending: ${message}\n`)]);
});

it('create --wait ends with 6 at once when the network is in Error, and says why', async () => {
  const message = 'the secret "hot-key" does not exist: create it';
  const { code, stderr } = await cli([...create, '--timeout', '5m'], {
    onProgress: after(['a: Pending\n', () => report('a', { state: 'Error', message })]),
  });
  expect(code).toBe(6);
  expect(stderr).toContain(`Error: network "a" ended: ${message}\nSee: slipway network watch a\n`);
});

it('create --wait ends with 124 after the timeout, and says that the network goes on', async () => {
  const { code, stderr } = await cli([...create, '--timeout', '1s']);
  expect(code).toBe(124);
  expect(stderr).toContain('Error: Network "a" was not done after 1s, and goes on.\n');
});

it('an interruption ends a wait with 130, and says that the network goes on', async () => {
  const interruption = new AbortController();
  const { code, stderr } = await cli(create, {
    signal: interruption.signal,
    onProgress: after(['a: Pending\n', () => interruption.abort()]),
  });
  expect(code).toBe(130);
  expect(stderr).toContain('Error: Interrupted. Network "a" goes on.\nSee: slipway network watch a\n');
  expect(await scene.api.stored('a')).toBeDefined();
});

it('a network that is deleted meanwhile ends the wait with 6', async () => {
  const { code, stderr } = await cli(create, { onProgress: after(['a: Pending\n', () => remove('a')]) });
  expect([code, stderr]).toEqual([6, expect.stringContaining('network "a" ended: it was deleted meanwhile')]);
});

it('--ndjson prints each step and then the network, one object per line', async () => {
  const { code, stdout } = await cli([...create, '--ndjson'], {
    onProgress: after(['a: Pending\n', () => report('a', { state: 'Operational' })]),
  });
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(lines.slice(0, -1).every(({ type }) => type === 'step')).toBe(true);
  expect(lines.at(-1)).toMatchObject({ kind: 'Network', status: { state: 'Operational' } });
});

it('a terminal sees the running step on a line that is drawn again', async () => {
  const { stderr } = await cli(create, {
    isTerminal: true,
    onProgress: after(['a: Pending', () => report('a', { state: 'Operational' })]),
  });
  expect(stderr).toContain('\r\u001b[2Ka: Pending');
  const plain = await cli(['network', 'wake', 'a', '--wait'], { isTerminal: true, env: { NO_COLOR: '1' } });
  expect([plain.code, plain.stderr]).toEqual([0, 'a: Operational\n']);
});

it('reset --wait waits for the chain after the reset, not for the state before it', async () => {
  await cli(['network', 'create', 'a', '--type', 'Arbitrum']);
  await report('a', { state: 'Operational', observedMaintenanceNonce: 6 });
  const { code, stderr } = await cli(['network', 'reset', 'a', '--wait'], {
    onProgress: after(
      ['a: Operational\n', () => report('a', { state: 'Pending' })],
      ['a: Pending\n', () => report('a', { state: 'Operational', observedMaintenanceNonce: 7 })],
    ),
  });
  expect([code, stderr]).toEqual([0, 'a: Operational\na: Pending\na: Operational\n']);
  const stored = await scene.api.stored('a');
  expect(stored?.spec.maintenanceRequest).toEqual({ action: 'ResetState', nonce: 7 });
});

it('stop --wait follows what does not wake the network again', async () => {
  await cli(['network', 'create', 'a', '--type', 'Arbitrum']);
  await report('a', { state: 'Operational' });
  const running = cli(['network', 'stop', 'a', '--wait']);
  const isAsked = (network: Awaited<ReturnType<typeof scene.api.stored>>) =>
    network?.metadata.annotations?.['slipway.dev/stop'] !== undefined;
  const asked = await eventually(() => scene.api.stored('a'), isAsked);
  await report('a', { state: 'Stopped', observedStop: asked?.metadata.annotations?.['slipway.dev/stop'] });
  expect((await running).code).toBe(0);
  expect((await scene.api.stored('a'))?.metadata.annotations).not.toHaveProperty(['slipway.dev/wake']);
});

it('delete --wait returns when the network is gone', async () => {
  await cli(['network', 'create', 'a', '--type', 'Arbitrum']);
  const { code, stdout } = await cli(['network', 'delete', 'a', '--wait']);
  expect([code, stdout, await scene.api.stored('a')]).toEqual([0, 'deleted a\n', undefined]);
  expect((await cli(['network', 'delete', 'a', '--ignore-missing'])).code).toBe(0);
});

it('watch prints each change on a line, and ends when the network is deleted', async () => {
  await cli(['network', 'create', 'a', '--type', 'Arbitrum']);
  const { code, stdout } = await cli(['network', 'watch', 'a', '--ndjson'], {
    onOutput: after(
      ['"name":"a"', () => report('a', { state: 'Stopped', message: 'idle' })],
      ['"idle"', () => remove('a')],
    ),
  });
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([code, lines.map(({ status, isDeleted }) => isDeleted ?? status?.state)]).toEqual([
    0,
    ['Pending', 'Stopped', true],
  ]);
});
