import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Wallet } from 'ethers';
import type { EnginePart } from '../../core/chains/driver.ts';
import { callRpc, type RunningAnvil, startAnvil } from '../../core/chains/evm/testing/startAnvil.ts';
import { driverOf } from '../../core/chains/registry.ts';
import { planContext } from '../../core/chains/testing/planContext.ts';
import { freePort } from '../../core/lib/testing/freePort.ts';
import { type RunningPostgres, startPostgres } from '../../core/plugins/testing/startPostgres.ts';
import { systemContractsForTests } from '../../hack/contracts/forTests.ts';
import { stageHeavy } from '../../hack/up/heavyEngines.ts';
import {
  type Counter,
  clicksOf,
  deployCounter,
  deploySubgraph,
  type GraphUrls,
  queryGraph,
  untilClicks,
} from './graphProject.ts';

/** The plugin's own parts on this machine, without a cluster: anvil, Postgres and what is in the image of the graph engine. */

const name = 'demo/counter';
const chain = {
  type: 'Ethereum',
  ethereum: { privateKeyRef: { name: 'key' }, plugins: { graph: {} } },
} as const;
const plan = driverOf('Ethereum')?.plan({
  chain,
  chainId: '1100000001',
  mnemonicAddresses: [],
  ...planContext,
  systemContracts: systemContractsForTests(),
});
const password = plan?.secrets?.['graph-db-password'] ?? '';
const partOf = (wanted: string): EnginePart => {
  const found = plan?.parts.find((part) => part.name === wanted);
  if (!found) throw new Error(`the plan has no part ${wanted}`);
  return found;
};

let anvil: RunningAnvil;
let postgres: RunningPostgres;
let node: RunningNode;
let counter: Counter;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-graph-'));
  anvil = await startAnvil(partOf('rpc'));
  postgres = await startPostgres(partOf('graph-db'), password);
  node = await startNode('data');
  const key = Wallet.createRandom();
  await callRpc(anvil.url, 'anvil_setBalance', key.address, '0xde0b6b3a7640000');
  counter = await deployCounter(anvil.url, key.privateKey);
});

afterAll(async () => {
  await node?.kill();
  await postgres?.stop();
  await anvil?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('the unmodified graph-cli deploys a subgraph, and queries return what happened on the chain', async () => {
  const block = await counter.increment();
  await deploySubgraph(node.urls, { network: 'mainnet', address: counter.address, name });
  const clicks = await untilClicks(node.urls, name, 1);
  expect(clicks).toEqual([{ count: '1', block: String(block), counterName: 'clicks' }]);
  await counter.increment();
  await untilClicks(node.urls, name, 2);
});

it('what evm_revert takes back disappears from a subgraph', async () => {
  const snapshot = await callRpc(anvil.url, 'evm_snapshot');
  await counter.increment();
  await untilClicks(node.urls, name, 3);
  await callRpc(anvil.url, 'evm_revert', snapshot);
  await callRpc(anvil.url, 'anvil_mine', '0x2');
  await untilClicks(node.urls, name, 2);
});

it('a subgraph has its history and goes on after a SIGKILL of graph-node and of Postgres', async () => {
  await node.kill();
  postgres = await postgres.crash();
  node = await startNode('data');
  await untilClicks(node.urls, name, 2);
  await callRpc(anvil.url, 'anvil_mine', '0x1');
  await untilHealthy(node.urls);
});

it('graph-node starts again when Postgres was gone, so that it never works on another database', async () => {
  postgres = await postgres.crash();
  await node.ended;
  node = await startNode('data');
  await untilClicks(node.urls, name, 2);
});

it('without its data, as after ResetState, it has no subgraph, and accepts the same one again', async () => {
  await node.kill();
  await postgres.stop();
  postgres = await startPostgres(partOf('graph-db'), password);
  node = await startNode('fresh');
  expect(await clicksOf(node.urls, name)).toBeUndefined();
  await deploySubgraph(node.urls, { network: 'mainnet', address: counter.address, name });
  await untilClicks(node.urls, name, 2);
});

/** Healthy and at the head of the chain, by what graph-node says. */
async function untilHealthy({ status }: GraphUrls): Promise<void> {
  const query = '{ indexingStatuses { subgraph health synced } }';
  for (;;) {
    const { data } = await queryGraph(`${status}/graphql`, query);
    const statuses = (data?.indexingStatuses ?? []) as {
      subgraph: string;
      health: string;
      synced: boolean;
    }[];
    const own = statuses.find(({ subgraph }) => subgraph.startsWith('Qm'));
    if (own?.health === 'healthy' && own.synced) return;
    await wait(200);
  }
}

interface RunningNode {
  urls: GraphUrls;
  ended: Promise<void>;
  kill(): Promise<void>;
}

/** Runs the part as its pod would, with the staged files of its image, until its readiness path answers. */
async function startNode(data: string): Promise<RunningNode> {
  const part = partOf('graph-node');
  const context = stageHeavy('graph');
  const local: Record<string, number> = {};
  for (const port of Object.keys(part.ports)) local[port] = await freePort();
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  mkdirSync(join(folder, data), { recursive: true });
  const replacements = new Map([
    ['/data', join(folder, data)],
    ['/etc/slipway/db-password', passwordFile],
    [planContext.hostOf('graph-db'), '127.0.0.1'],
    ['5432', String(postgres.port)],
    [`http://${planContext.hostOf('rpc')}:8545`, anvil.url],
    ...Object.entries(part.ports).map(([port, number]): [string, string] => [
      String(number),
      String(local[port]),
    ]),
  ]);
  const args = part.args.map((arg) => replacements.get(arg) ?? arg);
  const child = spawn(
    process.execPath,
    [join(context, 'graph.mjs'), ...args, '--metrics-port', String(await freePort())],
    {
      env: { ...part.env, PATH: context, HOME: folder },
      // A process group of its own, so that a kill reaches graph-node too, as in a pod.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const at = (port: string) => `http://127.0.0.1:${local[port]}`;
  await untilServes(child, at('graphql'));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid)
      process.kill(-child.pid, 'SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await ended;
  };
  const urls = {
    graph: at('graphql'),
    admin: `${at('admin')}/`,
    ipfs: `${at('ipfs')}/api/v0`,
    status: at('status'),
  };
  return { urls, ended, kill };
}

async function untilServes(child: ChildProcess, url: string): Promise<void> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-4096);
    });
  }
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output}`);
    await wait(100);
  }
}
