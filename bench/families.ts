import { randomBytes } from 'node:crypto';
import { ask, createSecret } from '../e2e/engines/families.ts';
import { createHotKey, endpointsOf, remove } from '../e2e/lib/networks.ts';
import { type ReadinessCallName, readinessCalls, sendReadinessCall } from '../e2e/lib/readinessCalls.ts';
import { call } from '../e2e/lib/service.ts';
import { desynchronize } from './lib/engine.ts';
import { type Model, measureByHand, modelOf, workingSetOf } from './lib/model.ts';
import { percentile, round, writeReport } from './lib/report.ts';
import { loadNow } from './lib/usage.ts';

/**
 * The start of each family's default network, from POST until it is Operational and responds through the gateway,
 * compared with the same clients started by hand: copies of the network's pods, files and host names, created with
 * `kubectl create`, until they respond. Also compares their memory use. The two alternate; `SAMPLES` sets how often.
 */
const samples = Number(process.env.SAMPLES ?? 3);
const aim = 1.3;
/** Long enough to stay within the rate limit of a default installation. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

interface Family {
  name: string;
  type: string;
  chain: object;
  calls: ReadinessCallName[];
}

async function familiesOf(): Promise<Family[]> {
  const evm = { privateKeyRef: { name: (await createHotKey()).name } };
  const rune = { privateKeyRef: { name: await createSecret(randomBytes(32)) } };
  return [
    { name: 'evm-dev', type: 'Ethereum', chain: evm, calls: ['evm'] },
    {
      name: 'Ethereum with a participant',
      type: 'Ethereum',
      chain: { ...evm, participants: [{}] },
      calls: ['evm', 'beacon'],
    },
    { name: 'Thorchain', type: 'Thorchain', chain: rune, calls: ['thorchain'] },
    // Any 32 bytes are also a valid Ed25519 key.
    { name: 'Solana', type: 'Solana', chain: rune, calls: ['solana'] },
    {
      name: 'Solana with a validator',
      type: 'Solana',
      chain: { ...rune, profile: 'real' },
      calls: ['solana'],
    },
  ];
}

interface Started {
  id: string;
  elapsedMs: number;
}

/** Throws with the reason when the network cannot run here. */
async function start({ type, chain, calls }: Family): Promise<Started> {
  const startMs = performance.now();
  const { status, body } = await ask(type, chain);
  if (status !== 201) throw new Error(body.message);
  const path = `/v1alpha/networks/${body.id}`;
  for (let state = ''; state !== 'Operational'; await pause()) {
    const { status: now } = (await call('GET', path)).body;
    if (now?.state === 'Error') {
      await remove(body.id);
      throw new Error(now.message);
    }
    state = now?.state;
  }
  const urls = await endpointsOf(body.id);
  for (const callName of calls)
    await untilAnswered(async () => urls[readinessCalls[callName].service], callName);
  return { id: body.id, elapsedMs: performance.now() - startMs };
}

async function untilAnswered(
  urlOf: () => Promise<string | undefined>,
  callName: ReadinessCallName,
): Promise<void> {
  for (;;) {
    const url = await urlOf();
    const response = url === undefined ? '' : await sendReadinessCall(url, callName).catch(() => '');
    if (readinessCalls[callName].answer.test(response)) return;
    await pause();
  }
}

/** The first network is not measured, because its programs are not in the page cache yet. */
async function modelOfFirst(family: Family): Promise<Model> {
  const { id } = await start(family);
  const model = await modelOf(id);
  await remove(id);
  return model;
}

async function measure(family: Family): Promise<object> {
  const slipway: number[] = [];
  const byHand: number[] = [];
  const memory = { slipwayMiB: Number.NaN, byHandMiB: Number.NaN };
  const model = await modelOfFirst(family);
  for (let sample = 0; sample < samples; sample += 1) {
    await desynchronize();
    const { id, elapsedMs } = await start(family);
    slipway.push(elapsedMs);
    const isLast = sample === samples - 1;
    if (isLast) memory.slipwayMiB = await workingSetOf(`slipway.dev/network=${id}`);
    await remove(id);
    await desynchronize();
    const hand = await measureByHand(model, family.calls, { untilAnswered, hasMemory: isLast });
    byHand.push(hand.elapsedMs);
    memory.byHandMiB = hand.memoryMiB;
    console.log(`${family.name}: by hand ${round(hand.elapsedMs, 0)} ms, Slipway ${round(elapsedMs, 0)} ms`);
  }
  const ratio = round(percentile(slipway, 0.5) / percentile(byHand, 0.5));
  const p50 = (values: number[]) => round(percentile(values, 0.5), 0);
  return { ratio, slipwayP50Ms: p50(slipway), byHandP50Ms: p50(byHand), ...memory };
}

const results: Record<string, object> = {};
const loadBefore = loadNow();
for (const family of await familiesOf()) {
  try {
    results[family.name] = await measure(family);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    results[family.name] = { leftOut: reason.split(': failed to')[0] };
    console.log(`skipping ${family.name}: ${reason}`);
  }
  // Written after each family, because the next one may take minutes.
  writeReport('families', { aim, samples, loadBefore, families: results });
}
console.log(JSON.stringify(results));
