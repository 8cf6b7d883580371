import { readFileSync } from 'node:fs';
import { skipReasonOf } from '../../core/chains/testing/runPlan.ts';
import { toolPath } from '../../hack/tools/build.ts';
import { lightAbsence } from './light/faults.ts';
import { evmMethodAccess, namedMethods } from './policy/evmMethods.ts';
import { call, post } from './testing/fixtures.ts';
import type { Call } from './testing/truth/calls/call.ts';
import { callsOf } from './testing/truth/calls.ts';
import { type BothChains, startBoth } from './testing/truth/chain.ts';
import { answersOf, differencesOf, explains, type Found } from './testing/truth/compare.ts';
import { differenceSections } from './testing/truth/differences.ts';
import { notificationsOf, subscriptions } from './testing/truth/subscriptions.ts';

/** The light engine behind the gateway answers as geth does on the same chain, or as docs/light-engine.md says. */

const reason = skipReasonOf('geth');
const suite = reason ? describe.skip : describe;
const differences = differenceSections.flatMap((section) => section.differences);

suite(`the light engine beside geth${reason ? ` (${reason})` : ''}`, () => {
  let chains: BothChains;
  let calls: Call[];
  let found: Found[];
  beforeAll(async () => {
    chains = await startBoth();
    const { geth, light } = chains;
    calls = callsOf(light);
    const all = [...calls, ...subscriptions];
    const gethAnswers = [...(await answersOf(geth, callsOf(geth))), ...(await notificationsOf(geth))];
    const lightAnswers = [...(await answersOf(light, calls)), ...(await notificationsOf(light))];
    found = gethAnswers.flatMap((answer, index) => {
      const [one, other] = [all[index], lightAnswers[index]];
      return one && other ? differencesOf(one, answer, other) : [];
    });
  });
  afterAll(() => chains.stop());

  test('has the same blocks and transactions', () => {
    const { geth, light } = chains;
    expect(light.blocks).toHaveLength(geth.blocks.length);
    expect(light.numbers).toEqual(geth.numbers);
  });

  test('answers every call as geth does, or as it is documented', () => {
    expect(found.filter((one) => !differences.some((known) => explains(known, one)))).toEqual([]);
  });

  test('has no documented difference that is not there', () => {
    const stale = differences.flatMap(({ methods, ...rest }) =>
      methods
        .map((method) => ({ ...rest, methods: [method] }))
        .filter((known) => !found.some((one) => explains(known, one))),
    );
    expect(stale).toEqual([]);
  });

  test('is asked for every method that the policy allows and geth has', async () => {
    const inProgram = readFileSync(toolPath('geth'), 'latin1').match(methodName) ?? [];
    const candidates = new Set([...inProgram, ...namedMethods, ...notInProgram]);
    const open = [...candidates].filter((method) => evmMethodAccess(method) !== 'never');
    const asked = new Set(calls.map(([method]) => method));
    const missing = [];
    for (const method of open.filter((one) => !asked.has(one))) {
      const { json } = await post(chains.geth.url, call(method));
      if (json.error?.code !== -32601) missing.push(method);
    }
    expect(missing).toEqual([]);
  });

  test('has none of the methods that the gateway refuses as absent', async () => {
    const absent = calls.filter(([method]) => lightAbsence(method) !== undefined);
    const answers = await Promise.all(
      absent.map(async ([method, ...params]) => [
        method,
        (await post(chains.engineUrl, call(method, params))).json.error?.code,
      ]),
    );
    expect(answers).toEqual(absent.map(([method]) => [method, -32601]));
  });
});

/** The names of methods in geth itself: its console has most of them. */
const methodName = /\b(admin|debug|eth|miner|net|rpc|txpool|web3)_[a-z][A-Za-z0-9]+\b/g;
/** Its program has the names of these in parts. */
const notInProgram = ['eth_subscribe', 'eth_unsubscribe', 'web3_sha3'];
