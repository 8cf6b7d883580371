import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '../../apiserver/testing/eventually.ts';
import {
  apiserver,
  authorization,
  startOperatorProcess,
  statusOf,
  url,
  useProcesses,
} from '../../apiserver/testing/processes.ts';
import { panels } from '../generate/monitoring/files.ts';
import { freePorts } from '../testenv/servers.ts';
import { findDebianPackage } from '../testing/debianPackage.ts';

/** Every query of the dashboard, answered by Prometheus, which scrapes the processes as they run. */

const { root = '', problem } = await findDebianPackage('prometheus');
const suite = problem ? describe.skip : describe;
const folder = mkdtempSync(join(tmpdir(), 'slipway-dashboard-'));
const children: ChildProcess[] = [];
let prometheus: string;

const headers = { ...authorization, 'Content-Type': 'application/json' };
const send = (path: string, body?: object) =>
  fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

async function makeTraffic(): Promise<void> {
  const chain = { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'absent' } } };
  await send('/v1alpha/networks', { name: 'net', spec: { chain } });
  await fetch(`${url}/rpc/00000000-0000-4000-8000-000000000000/none/rpc`);
}

/** How many series a query answers. Throws when Prometheus does not understand it. */
async function seriesOf(expr: string): Promise<number> {
  const query = expr.replaceAll('$__rate_interval', '1m');
  const answer = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(query)}`);
  const body = (await answer.json()) as { status: string; error?: string; data?: { result: unknown[] } };
  if (body.status !== 'success') throw new Error(`${expr}: ${body.error}`);
  return body.data?.result.length ?? 0;
}

const queriesWhere = (isWanted: (needs: string | undefined) => boolean) =>
  panels
    .filter(({ needs }) => isWanted(needs))
    .flatMap(({ title, queries }) => queries.map(({ expr }): [string, string] => [title, expr]));

suite(`the dashboard${problem ? ` (skipped: ${problem})` : ''}`, () => {
  useProcesses(undefined, { hasOwnCluster: true });

  beforeAll(async () => {
    const operator = await startOperatorProcess();
    children.push(operator.child);
    const [port = 0] = await freePorts(1);
    prometheus = `http://127.0.0.1:${port}`;
    const targets = [apiserver, operator].map(({ healthUrl }) => new URL(healthUrl).host);
    const config = {
      global: { scrape_interval: '500ms' },
      scrape_configs: [{ job_name: 'slipway-metrics', static_configs: [{ targets }] }],
    };
    writeFileSync(join(folder, 'prometheus.yml'), stringify(config));
    const options = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
    children.push(
      spawn(join(root, 'usr', 'bin', 'prometheus'), [...options, `--web.listen-address=127.0.0.1:${port}`]),
    );
    await eventually(
      () => statusOf(`${prometheus}/-/ready`),
      (status) => status === 200,
    );
    await makeTraffic();
  });

  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(queriesWhere((needs) => needs === undefined))('%s shows something: %s', async (_title, expr) => {
    const shown = await eventually(
      async () => {
        await send('/v1alpha/networks');
        return seriesOf(expr);
      },
      (count) => count > 0,
    );
    expect(shown).toBeGreaterThan(0);
  });

  test.each(queriesWhere((needs) => needs !== undefined))('%s is understood: %s', async (_title, expr) => {
    await expect(seriesOf(expr)).resolves.toEqual(expect.any(Number));
  });
});
