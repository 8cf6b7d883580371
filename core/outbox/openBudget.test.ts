import type { OutboxResource } from '../api/resources/outbox.ts';
import { asStored } from '../api/testing/stored.ts';
import type { Change } from '../kube/cache/reflector.ts';
import type { Stored } from '../kube/kube.ts';
import { packBatches } from './batches.ts';
import { createOpenBudget, openLimits } from './openBudget.ts';
import { newOutbox } from './outboxObjects.ts';

/** A sender queue with this much open. */
function aQueue(namespace: string, signer: string, open: { count: number; bytes: number }) {
  const ref = { namespace, network: { name: 'net', uid: 'u-1', id: 'u-1' }, incarnation: 'one', signer };
  const batch = { id: '0123456789abcdef', first: 0, acceptedAt: '2030-01-02T03:04:05Z', ...open };
  const batches = open.count > 0 ? packBatches([batch]) : '[]';
  return asStored(newOutbox(ref, 'queue', { batches }));
}

function createCache(...objects: Stored<OutboxResource>[]) {
  let emit: (change: Change<OutboxResource>) => void = () => undefined;
  const outboxes = {
    list: () => objects,
    onChange(listener: typeof emit) {
      emit = listener;
      return () => undefined;
    },
  };
  const budget = createOpenBudget(outboxes);
  return { budget, set: (object: Stored<OutboxResource>) => emit({ type: 'set', object }) };
}

const nothing = async () => 'done';
const { namespace: limit, all } = openLimits;

it.each<[string, { count: number; bytes: number }]>([
  ['transactions', { count: limit.count, bytes: 1 }],
  ['bytes', { count: 1, bytes: limit.bytes }],
])(
  'a workspace whose budget of %s is used up gets 503 with the budget, others do not',
  async (_reason, open) => {
    const { budget } = createCache(aQueue('one', '0x01', open));
    const added = { count: 1, bytes: 1 };
    await expect(budget.hold('one', added, nothing)).rejects.toMatchObject({
      reason: 'Unavailable',
      retryAfterSeconds: 5,
      message: expect.stringContaining(`of this workspace wait to be mined: the budget is ${limit.count}`),
    });
    expect(await budget.hold('two', added, nothing)).toBe('done');
  },
);

it('what several keys of a workspace have open counts together, until it is settled', async () => {
  const half = { count: limit.count / 2, bytes: 1 };
  const { budget, set } = createCache(aQueue('one', '0x01', half), aQueue('one', '0x02', half));
  await expect(budget.hold('one', { count: 1, bytes: 1 }, nothing)).rejects.toThrow('of this workspace');
  set(aQueue('one', '0x02', { count: 0, bytes: 0 }));
  expect(await budget.hold('one', { count: 1, bytes: 1 }, nothing)).toBe('done');
});

it('what is being stored counts as open', async () => {
  const { budget } = createCache();
  const stored = Promise.withResolvers<string>();
  const first = budget.hold('one', { count: limit.count, bytes: 1 }, () => stored.promise);
  await expect(budget.hold('one', { count: 1, bytes: 1 }, nothing)).rejects.toThrow('of this workspace');
  stored.resolve('done');
  await first;
  expect(await budget.hold('one', { count: 1, bytes: 1 }, nothing)).toBe('done');
});

it('all workspaces together have a budget that none of them can use up', async () => {
  const workspaces = all.count / limit.count;
  expect(workspaces).toBeGreaterThan(2);
  const open = { count: limit.count, bytes: 1 };
  const queues = Array.from({ length: workspaces }, (_, index) => aQueue(`w${index}`, '0x01', open));
  const { budget } = createCache(...queues);
  await expect(budget.hold('other', { count: 1, bytes: 1 }, nothing)).rejects.toThrow('of this installation');
});
