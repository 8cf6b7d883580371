import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { credentialsOf } from '../apiserver/testing/harness.ts';
import type { NamespacedObject, ResourceType } from '../core/api/resources/kubeObject.ts';
import { recordingChunkType, replayType } from '../core/api/resources/resources.ts';
import { listPages } from '../core/kube/pages.ts';
import { createChainScene, type SceneNetwork } from '../core/outbox/testing/scene.ts';
import { startBed } from './lib/bed.ts';
import { round, writeReport } from './lib/report.ts';
import { chartEnv, chartNodeArgs } from './lib/service.ts';
import { usageOf } from './lib/usage.ts';
import { type MadeUpChain, startMadeUpChain } from './recordings/chain.ts';

/**
 * A recording of TRANSACTIONS (1,000,000) is captured, read, exported, replayed and deleted. Prints how long each step
 * takes and how much memory the two processes have needed until then. The aim: the API server below 300 MiB, the
 * operator below 400 MiB. The chains are made up, so that nothing but the service is measured.
 */
const count = Number(process.env.TRANSACTIONS ?? 1_000_000);
/** Additional arguments of Node for both processes, such as --max-old-space-size=200. */
const nodeArgs = (process.env.NODE_ARGS ?? '').split(' ').filter((arg) => arg !== '');
const aims = { apiserver: 300, operator: 400 };
/** V8 takes half of a container's memory for its heap, and collects more often in a small one: as in the chart's pods. */
const heapMiB = { apiserver: 384, operator: 512 };

const root = join(import.meta.dirname, '..');
const bundle = mkdtempSync(join(tmpdir(), 'slipway-bench-'));

/** Some dependencies are CommonJS and call `require`; see hack/build.ts. */
const banner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** As in the image: from sources, Node takes a hundred MiB for its type stripper and the modules of packages. */
async function bundleProcesses(): Promise<void> {
  await build({
    entryPoints: { serve: 'bench/recordings/serve.ts', signWorker: 'core/signing/signWorker.ts' },
    absWorkingDir: root,
    outdir: bundle,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    banner: { js: banner },
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
  });
  writeFileSync(join(bundle, 'package.json'), '{ "type": "module" }');
}

await bundleProcesses();
const bed = await startBed();
const scene = await createChainScene(bed.kube);
const chains: MadeUpChain[] = [];
const children = new Map<string, ChildProcess>();

async function addNetwork(name: string): Promise<SceneNetwork & { chain: MadeUpChain }> {
  const chain = await startMadeUpChain(scene.wallet.address.toLowerCase());
  chains.push(chain);
  return { ...(await scene.addNetwork(name, { upstream: chain })), chain };
}

/** Starts a separate process, as in an installation, and returns its first line of output. */
function serve(role: 'apiserver' | 'operator', networks: readonly SceneNetwork[]): Promise<string> {
  const options = {
    role,
    kubeconfig: bed.kubeconfig,
    namespace: bed.namespace,
    user: scene.user,
    addresses: Object.fromEntries(networks.map(({ id }) => [id, scene.upstreams.find(id)])),
    names: Object.fromEntries(networks.map(({ name, url }) => [name, url])),
  };
  const file = join(bundle, 'serve.js');
  const args = [...chartNodeArgs[role], `--max-old-space-size=${heapMiB[role]}`, ...nodeArgs];
  const child = spawn(process.execPath, [...args, file, JSON.stringify(options)], {
    env: { ...process.env, ...chartEnv },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.set(role, child);
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
    child.once('exit', (code) => reject(new Error(`${role} exited with code ${code}`)));
  });
}

const peaks = () =>
  Object.fromEntries([...children].map(([role, { pid = 0 }]) => [role, usageOf(pid).peakRssMiB]));

const steps: object[] = [];
async function measure<T>(step: string, work: () => Promise<T>): Promise<T> {
  const startMs = Date.now();
  const result = await work();
  const done = { step, seconds: round((Date.now() - startMs) / 1000, 1), peakRssMiB: peaks() };
  steps.push(done);
  console.log(JSON.stringify(done));
  return result;
}

/** Reads an answer as it comes; how often `needle` occurs in it, and its end. */
async function countIn(answer: Response, needle: string): Promise<{ found: number; tail: string }> {
  let [found, tail, bytes] = [0, '', 0];
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    const text = tail + decoder.decode(chunk, { stream: true });
    found += text.split(needle).length - 1 - (tail.split(needle).length - 1);
    tail = text.slice(-400);
  }
  console.log(`${answer.status}, ${round(bytes / 1024 / 1024)} MiB, ${found} of ${count}`);
  if (answer.status >= 300 || found !== count) throw new Error(tail);
  return { found, tail };
}

try {
  const [source, target] = [await addNetwork('source'), await addNetwork('target')];
  const networks = [source, target];
  await serve('operator', networks);
  const url = `${await serve('apiserver', networks)}/transaction/v1alpha1/transaction/recording`;
  const headers = { ...credentialsOf(scene.user.userId), 'Content-Type': 'application/json' };
  const post = (path: string, body: object, more = {}) =>
    fetch(`${url}/${path}`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const read = async (path: string) => fetch(`${url}/${path}`, { headers });

  const started = await post('start', { userAddress: scene.wallet.address, networkIds: [source.id] });
  const { recordingId } = (await started.json()) as { recordingId: string };
  console.log('idle', JSON.stringify(peaks()));
  await measure('capture', async () => {
    source.chain.grow(count);
    for (;;) {
      const [recording] = (await (await read('list-all')).json()) as {
        networks: { transactions: number }[];
      }[];
      if (recording?.networks[0]?.transactions === count) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  });
  const hash = '"hash":"0x';
  await measure('stop', async () => countIn(await post('stop', { recordingId }), hash));
  await measure('get', async () => countIn(await read(recordingId), hash));
  await measure('document', async () => countIn(await read(`${recordingId}/document`), '"hash": "0x'));
  const body = { recordingId, networkMapping: { [source.id]: target.id } };
  const key = { 'Idempotency-Key': 'bench' };
  await measure('replay', async () => countIn(await post('replay', body, key), '"match":true'));
  await measure('replay again', async () => countIn(await post('replay', body, key), '"match":true'));
  if (target.chain.received() !== count) throw new Error(`${target.chain.received()} transactions were sent`);
  const chunks = await sizesOf(recordingChunkType);
  const rows = await sizesOf(replayType);
  await measure('delete', () => fetch(`${url}/${recordingId}`, { method: 'DELETE', headers }));
  const result = { transactions: count, aims, chunks, rows, steps, peakRssMiB: peaks() };
  console.log(JSON.stringify({ chunks, rows, peakRssMiB: peaks() }, null, 2));
  writeReport('recordings', result);
} finally {
  for (const child of children.values()) child.kill();
  await Promise.all(chains.map((chain) => chain.stop()));
  await scene.stop();
  await bed.stop();
  rmSync(bundle, { recursive: true, force: true });
}

/** How many objects of a type there are, and how much they hold. */
async function sizesOf(type: ResourceType<NamespacedObject>) {
  let [objects, bytes] = [0, 0];
  for await (const { items } of listPages(bed.kube, type, { limit: 50 })) {
    for (const item of items) bytes += JSON.stringify(item).length;
    objects += items.length;
  }
  return { objects, MiB: round(bytes / 1024 / 1024) };
}
