import { randomBytes } from 'node:crypto';
import { ask, createSecret } from '../e2e/engines/families.ts';
import { createHotKey, endpointsOf, remove } from '../e2e/lib/networks.ts';
import { answerOf, type Question, questions } from '../e2e/lib/questions.ts';
import { call } from '../e2e/lib/service.ts';
import { leaveStep } from './lib/engine.ts';
import { type Model, measureByHand, modelOf, workingSetOf } from './lib/model.ts';
import { percentile, round, writeReport } from './lib/report.ts';
import { loadNow } from './lib/usage.ts';

/**
 * Each family's default network, from POST until it is Operational and answers through the gateway, against the same
 * clients started by hand: the network's own pods, files and host names under other names, by `kubectl create`, until
 * they answer; and what both then hold in memory. In turn, in one run. `SAMPLES` sets how often.
 */
const samples = Number(process.env.SAMPLES ?? 3);
const aim = 1.3;
/** Seldom enough for the rate limit of an ordinary installation. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

interface Family {
  name: string;
  type: string;
  chain: object;
  asked: Question[];
}

async function familiesOf(): Promise<Family[]> {
  const evm = { privateKeyRef: { name: (await createHotKey()).name } };
  const rune = { privateKeyRef: { name: await createSecret(randomBytes(32)) } };
  return [
    { name: 'evm-dev', type: 'Ethereum', chain: evm, asked: ['evm'] },
    {
      name: 'Ethereum with a participant',
      type: 'Ethereum',
      chain: { ...evm, participants: [{}] },
      asked: ['evm', 'beacon'],
    },
    { name: 'Thorchain', type: 'Thorchain', chain: rune, asked: ['thorchain'] },
    // An Ed25519 key as well is 32 bytes of any kind.
    { name: 'Solana', type: 'Solana', chain: rune, asked: ['solana'] },
  ];
}

interface Started {
  id: string;
  elapsedMs: number;
}

/** Throws when the network cannot run here, with the reason. */
async function start({ type, chain, asked }: Family): Promise<Started> {
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
  for (const question of asked) await untilAnswered(async () => urls[questions[question].service], question);
  return { id: body.id, elapsedMs: performance.now() - startMs };
}

async function untilAnswered(urlOf: () => Promise<string | undefined>, question: Question): Promise<void> {
  for (;;) {
    const url = await urlOf();
    const given = url === undefined ? '' : await answerOf(url, question).catch(() => '');
    if (questions[question].answer.test(given)) return;
    await pause();
  }
}

/** The first network is not measured: it finds no program of its in memory. */
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
    await leaveStep();
    const { id, elapsedMs } = await start(family);
    slipway.push(elapsedMs);
    const isLast = sample === samples - 1;
    if (isLast) memory.slipwayMiB = await workingSetOf(`slipway.dev/network=${id}`);
    await remove(id);
    await leaveStep();
    const hand = await measureByHand(model, family.asked, { untilAnswered, hasMemory: isLast });
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
    console.log(`${family.name} is left out: ${reason}`);
  }
  // After each family: the next may take minutes.
  writeReport('families', { aim, samples, loadBefore, families: results });
}
console.log(JSON.stringify(results));
