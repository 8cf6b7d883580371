import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kubectl, namespace } from '../e2e/lib/cluster.ts';
import { call, kubeconfig } from '../e2e/lib/service.ts';
import { percentile, round, writeReport } from './lib/report.ts';

/**
 * From POST to Operational with the RPC answering at its endpoint, against `kubectl run` of the same image until its
 * RPC answers: the same chain settings, in turn, in one run. `SAMPLES` sets how often.
 */
const samples = Number(process.env.SAMPLES ?? 20);
const aim = 1.15;
const run = promisify(execFile);
const bin = join(import.meta.dirname, '..', '.slipway', 'bin', 'kubectl');
const pauseMs = 5;

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));

/**
 * The kubelet looks at its containers once a second, and every measurement ends just after such a look. Without a
 * random pause the next would begin in step with it, and the side that begins later would seem faster.
 */
const leaveStep = () => new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 1000));

async function untilRpcAnswers(urlOf: () => Promise<string | undefined>): Promise<void> {
  for (let url = await urlOf(); ; url = await urlOf()) {
    const isUp = url !== undefined && (await asksChainId(url));
    if (isUp) return;
    await pause();
  }
}

async function asksChainId(url: string): Promise<boolean> {
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    return answer.ok && 'result' in ((await answer.json()) as object);
  } catch {
    return false;
  }
}

/** POST, then GET until Operational, then a call through the gateway. */
async function measureSlipway(keyName: string): Promise<number> {
  const name = `bench-${randomBytes(4).toString('hex')}`;
  const body = {
    name,
    spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: keyName } } } },
  };
  const startMs = performance.now();
  const created = await call('POST', '/v1alpha/networks', { body });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  const path = `/v1alpha/networks/${created.body.id}`;
  let network = created.body;
  while (network.status?.state !== 'Operational') {
    await pause();
    network = (await call('GET', path)).body;
  }
  const { body: endpoints } = await call('GET', `${path}/endpoints`);
  await untilRpcAnswers(async () => endpoints.map.rpc);
  const elapsedMs = performance.now() - startMs;
  await call('DELETE', path);
  return elapsedMs;
}

interface Engine {
  image: string;
  overrides: string;
}

/** `kubectl run` of the pod that Slipway made, under another name and without its labels, until its RPC answers. */
async function measureKubectl(engine: Engine): Promise<number> {
  const name = `bench-${randomBytes(4).toString('hex')}`;
  const startMs = performance.now();
  const args = [
    '--namespace',
    namespace,
    'run',
    name,
    `--image=${engine.image}`,
    `--overrides=${engine.overrides}`,
  ];
  await run(bin, args, { env: { ...process.env, KUBECONFIG: kubeconfig } });
  const watching = execFile(
    bin,
    ['--namespace', namespace, 'get', 'pod', name, '--watch', '--output', 'jsonpath={.status.podIP}{"\\n"}'],
    {
      env: { ...process.env, KUBECONFIG: kubeconfig },
    },
  );
  let address: string | undefined;
  watching.stdout?.on('data', (chunk: string) => {
    address ??= chunk.split('\n').find((line) => line !== '');
  });
  await untilRpcAnswers(async () => (address ? `http://${address}:8545` : undefined));
  const elapsedMs = performance.now() - startMs;
  watching.kill();
  await kubectl(['delete', 'pod', name, '--wait=false', '--grace-period=1']);
  return elapsedMs;
}

/** The engine pod of a network, as `kubectl run` overrides: the same image, arguments, files, limits and security. */
async function engineOf(networkId: string): Promise<Engine> {
  const { stdout } = await kubectl([
    'get',
    'pods',
    '--selector',
    `slipway.dev/network=${networkId}`,
    '--output',
    'json',
  ]);
  const { spec } = JSON.parse(stdout).items[0];
  const { containers, volumes, securityContext, restartPolicy, terminationGracePeriodSeconds } = spec;
  const [{ readinessProbe: _probe, ...container }] = containers;
  const own = volumes.filter((volume: { name: string }) => !volume.name.startsWith('kube-api-access'));
  const pod = {
    spec: {
      containers: [container],
      volumes: own,
      securityContext,
      restartPolicy,
      terminationGracePeriodSeconds,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
    },
  };
  return { image: container.image, overrides: JSON.stringify(pod) };
}

async function main(): Promise<void> {
  const keyName = `bench-${randomBytes(4).toString('hex')}`;
  const data = randomBytes(32).toString('base64');
  await call('POST', '/v1alpha/secrets', { body: { name: keyName, type: 'private-key', data } });
  const body = {
    name: `${keyName}-model`,
    spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: keyName } } } },
  };
  const { body: model } = await call('POST', '/v1alpha/networks', { body });
  for (let state = ''; state !== 'Operational'; ) {
    state = (await call('GET', `/v1alpha/networks/${model.id}`)).body.status?.state;
    await pause();
  }
  const engine = await engineOf(model.id);
  const slipway: number[] = [];
  const bare: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    await leaveStep();
    bare.push(await measureKubectl(engine));
    await leaveStep();
    slipway.push(await measureSlipway(keyName));
    console.log(
      `${sample + 1}/${samples}: kubectl run ${round(bare.at(-1) ?? 0, 0)} ms, Slipway ${round(slipway.at(-1) ?? 0, 0)} ms`,
    );
  }
  await call('DELETE', `/v1alpha/networks/${model.id}`);
  const sumUp = (values: number[]) => ({
    p50Ms: round(percentile(values, 0.5), 0),
    p99Ms: round(percentile(values, 0.99), 0),
  });
  const ratio = round(percentile(slipway, 0.5) / percentile(bare, 0.5));
  const report = { aim, samples, ratio, slipway: sumUp(slipway), kubectlRun: sumUp(bare) };
  console.log(JSON.stringify(report));
  writeReport('start', report);
}

await main();
