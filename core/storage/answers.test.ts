import { apiVersion, labels } from '../api/names.ts';
import type { IdempotencyRecordResource } from '../api/resources/idempotencyRecord.ts';
import { idempotencyRecordType } from '../api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../kube/testing/fake/fake.ts';
import { settle } from '../kube/testing/settle.ts';
import { silentLog } from '../lib/log.ts';
import { createManualClock } from '../lib/manualClock.ts';
import { createStoredAnswers, type StoredAnswers } from './answers.ts';
import { mib } from './budget.ts';
import { storedBytes } from './kinds.ts';
import { createStorageLedger } from './ledger.ts';

const namespace = 'slipway-system';
const quota = { workspaceStoredMiB: 1, storedMiB: 16, workspaceCachedMiB: 256, cachedMiB: 1024 };
const defaultWorkspace = { id: 'default', namespace: 'slipway-default' };
let kube: FakeKube;
let answers: StoredAnswers;

/** Answers a request of a workspace. */
async function answer(name: string, workspace: string | undefined, size: number) {
  const own = workspace === undefined ? {} : { [labels.workspace]: workspace };
  const spec = {
    request: 'a'.repeat(64),
    seed: '',
    heldUntil: '2031-03-01T12:00:00Z',
    answer: 'x'.repeat(size),
  };
  const metadata = { name, namespace, labels: own };
  const record: IdempotencyRecordResource = { apiVersion, kind: 'IdempotencyRecord', metadata, spec };
  return kube.create(idempotencyRecordType, record);
}

beforeEach(() => {
  kube = createFakeKube();
  const common = { kube, clock: createManualClock(), log: silentLog };
  answers = createStoredAnswers({ ...common, namespace, defaultWorkspace });
});
afterEach(() => answers.stop());

async function start() {
  answers.start();
  await answers.whenSynced();
  return createStorageLedger({
    quota,
    answers,
    records: { list: () => [], onChange: () => () => undefined },
  });
}

test('answers count where the request was made, from before and from now on, until they are deleted', async () => {
  const before = await answer('before', 'default', 100_000);
  const ledger = await start();
  const after = await answer('after', 'default', 1_000);
  const other = await answer('other', 'w1', 2_000);
  // Nobody is signed in who accepts an invitation.
  await answer('strange', undefined, 4_000);
  await settle();
  const both = storedBytes(before) + storedBytes(after);
  expect(ledger.usedIn('slipway-default')).toMatchObject({ bytes: both, kinds: { records: both } });
  expect([...ledger.holdings().keys()]).toEqual(['slipway-default', 'slipway-w1']);
  await kube.replace(idempotencyRecordType, { ...other, spec: { ...other.spec, answer: 'x'.repeat(9_000) } });
  await kube.delete(idempotencyRecordType, before.metadata);
  await kube.delete(idempotencyRecordType, after.metadata);
  await settle();
  expect(ledger.usedIn('slipway-default').bytes).toBe(0);
  expect(ledger.usedIn('slipway-w1').bytes).toBeGreaterThan(9_000);
});

test('a workspace whose answers use up its budget stores nothing else, and is told what takes most', async () => {
  const ledger = await start();
  await answer('large', 'w1', 0.9 * mib);
  await settle();
  expect(ledger.refusal({ namespace: 'slipway-w1', bytes: 0.2 * mib })?.message).toMatch(
    /the workspace stores 0.9 MiB.*budget of 1 MiB.*Most of it: records \(0.9 MiB\)/,
  );
  expect(ledger.refusal({ namespace: 'slipway-default', bytes: 0.2 * mib })).toBeUndefined();
});
