import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../hack/console/browser.ts';
import { projectRoot } from '../hack/lib/paths.ts';
import { run } from '../hack/lib/run.ts';
import { createClient } from '../sdk/src/client.ts';
import { withNetwork } from '../sdk/src/fixture/fixture.ts';
import { newPrivateKey } from '../sdk/src/fixture/key.ts';
import { runProgram } from '../sdk/testing/program.ts';
import { addMember, removeMember } from './lib/accounts.ts';
import { runNodeProject } from './lib/clientProjects.ts';
import { freshName, serviceUrl, token } from './lib/service.ts';

const client = createClient({ url: serviceUrl, apiKey: token });
const environment = { SLIPWAY_URL: serviceUrl, SLIPWAY_API_KEY: token };

it('the SDK runs a network from its creation to its end', async () => {
  const steps: string[] = [];
  const id = await withNetwork(
    { client, name: freshName('sdk'), onStep: ({ state }) => steps.push(state) },
    async ({ id, rpc, chainId, privateKey }) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch(rpc, { method: 'POST', headers, body });
      expect(await response.json()).toMatchObject({ result: `0x${Number(chainId).toString(16)}` });
      expect(privateKey).toMatch(/^0x[0-9a-f]{64}$/);
      const names = new Set<string>();
      for await (const network of client.networks.listAll({ limit: 1 })) names.add(network.id);
      expect(names).toContain(id);
      await client.networks.stop(id);
      await client.waitFor(id, 'Stopped', { timeoutMs: 300_000 });
      await client.networks.wake(id);
      await client.waitFor(id, 'Operational', { timeoutMs: 300_000 });
      return id;
    },
  );
  expect(steps.at(-1)).toBe('Operational');
  await expect(client.networks.get(id)).rejects.toMatchObject({ status: 404, reason: 'NotFound' });
});

it('a command runs with a network of its own', async () => {
  const program =
    'fetch(process.env.RPC_URL, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] }) }).then((r) => r.json()).then(({ result }) => console.log(result))';
  const { code, stdout, stderr } = await runProgram(
    'sdk/bin/withNetwork.ts',
    ['--', process.execPath, '-e', program],
    environment,
  );
  expect([code, stdout.trim(), stderr]).toEqual([0, expect.stringMatching(/^0x/), expect.any(String)]);
});

it('an independent generator makes a client from /openapi.json that compiles and runs a network', async () => {
  const generate = [
    'openapi-ts',
    '--input',
    `${serviceUrl}/openapi.json`,
    '--output',
    'generated',
    '--silent',
  ];
  // A client that repeats nothing needs an account whose rate nobody else uses.
  const member = await addMember(token, 'default', 'developer');
  const inputs = { ...environment, SLIPWAY_API_KEY: member.token, PRIVATE_KEY: newPrivateKey() };
  await runNodeProject('openapi', generate, inputs);
  await runNodeProject('openapi', ['tsc'], inputs);
  await runNodeProject('openapi', ['node', '--test', 'built/network.js'], inputs);
  await removeMember(token, 'default', member);
});

const chromium = findBrowser();
const itWithChromium = chromium === undefined ? it.skip : it;

itWithChromium('the SDK runs in Chromium (skipped without one: apt-get install chromium)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-sdk-'));
  const script = join(folder, 'slipway.js');
  try {
    await run(
      join(projectRoot, 'node_modules/.bin/esbuild'),
      [
        'sdk/src/entry.ts',
        '--bundle',
        '--platform=neutral',
        '--format=iife',
        '--global-name=slipway',
        `--outfile=${script}`,
      ],
      { cwd: projectRoot },
    );
    await runNodeProject('browser', ['node', 'page.js'], {
      ...environment,
      CHROMIUM: chromium ?? '',
      SDK_SCRIPT: script,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
