import { randomBytes } from 'node:crypto';
import { call } from '../e2e/lib/service.ts';
import {
  desynchronize,
  engineOf,
  measureKubectl,
  pause,
  removeFiles,
  untilRpcAnswers,
} from './lib/engine.ts';
import { percentile, round, writeReport } from './lib/report.ts';
import { compareStarts, isOnWaitingPod, type Sample, untilOneWaits } from './lib/waiting.ts';

/**
 * The time from POST until a network is Operational and its RPC endpoint responds, compared with `kubectl run` of the
 * same image and chain settings until its RPC responds. The two alternate in one run; `SAMPLES` sets how often. Networks
 * that got a pod that waited are reported apart from those that did not.
 */
const samples = Number(process.env.SAMPLES ?? 20);
const aims = { warm: 0.15, cold: 1.15 };

/** Sends POST, then GET until Operational, then a call through the gateway. */
async function measureSlipway(keyName: string): Promise<Sample> {
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
  const ms = performance.now() - startMs;
  const isWarm = await isOnWaitingPod(created.body.id);
  await call('DELETE', path);
  return { ms, isWarm };
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
  // Its idle stop would disturb the measurements.
  await call('DELETE', `/v1alpha/networks/${model.id}`);
  const slipway: Sample[] = [];
  const bare: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    await desynchronize();
    bare.push(await measureKubectl(engine));
    await untilOneWaits();
    await desynchronize();
    slipway.push(await measureSlipway(keyName));
    console.log(
      `${sample + 1}/${samples}: kubectl run ${round(bare.at(-1) ?? 0, 0)} ms, Slipway ${round(slipway.at(-1)?.ms ?? 0, 0)} ms${slipway.at(-1)?.isWarm ? ' on a pod that waited' : ''}`,
    );
  }
  await removeFiles();
  const sumUp = (values: number[]) => ({
    p50Ms: round(percentile(values, 0.5), 0),
    p99Ms: round(percentile(values, 0.99), 0),
  });
  const ratio = round(
    percentile(
      slipway.map(({ ms }) => ms),
      0.5,
    ) / percentile(bare, 0.5),
  );
  const report = { aims, samples, ratio, ...compareStarts(slipway, bare), kubectlRun: sumUp(bare) };
  console.log(JSON.stringify(report));
  writeReport('start', report);
}

await main();
