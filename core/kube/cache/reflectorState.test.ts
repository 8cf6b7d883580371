import fc from 'fast-check';
import { asStored } from '../../api/testing/stored.ts';
import type { KubeObject, Stored } from '../kube.ts';
import { createReflectorState } from './reflectorState.ts';

interface Thing extends KubeObject {
  value: number;
}

const thing = (version: number, name = 'a', uid = `uid-${name}`): Stored<Thing> =>
  asStored({
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name, namespace: 'n', uid, resourceVersion: String(version), labels: { v: String(version) } },
    value: version,
  });
const ref = { namespace: 'n', name: 'a' };

function stateWith(version: number, ...items: Stored<Thing>[]) {
  const state = createReflectorState<Thing>({ value: (object) => [String(object.value)] });
  state.beginList();
  state.endList(items, String(version));
  return state;
}

const valuesOf = (things: Thing[]) => things.map(({ value }) => value).toSorted();

/** A server, and a cache of it whose own writes' answers come when they come. */
function createRun() {
  const state = stateWith(10);
  const server = new Map<string, Stored<Thing>>();
  const late: { atStep: number; object: Stored<Thing> }[] = [];

  function set(object: Stored<Thing>, atStep: number, isLate: boolean): void {
    server.set(object.metadata.name, object);
    if (!isLate) state.observe(object);
    late.push({ atStep, object });
  }

  function perform({ name, isDelete, lag }: { name: string; isDelete: boolean; lag: number }, step: number) {
    const version = 11 + step;
    const former = server.get(name);
    if (isDelete && !former) return;
    const object = thing(version, name, former?.metadata.uid ?? `${name}-${version}`);
    if (isDelete) server.delete(name);
    if (!isDelete) set(object, step + lag, lag > 0);
    state.applyEvent({ type: isDelete ? 'DELETED' : former ? 'MODIFIED' : 'ADDED', object });
    for (const entry of late.filter(({ atStep }) => atStep === step)) state.observe(entry.object);
  }

  return { state, server, late, perform };
}

describe('the state of a cache', () => {
  it('reports what a list sets, changes and lacks', () => {
    const state = stateWith(10, thing(1, 'same'), thing(2, 'changed'), thing(3, 'gone'));
    state.beginList();
    const changes = state.endList([thing(1, 'same'), thing(12, 'changed'), thing(13, 'new')], '20');
    expect(changes).toEqual([
      { type: 'deleted', object: thing(3, 'gone'), previous: thing(3, 'gone') },
      { type: 'set', object: thing(12, 'changed'), previous: thing(2, 'changed') },
      { type: 'set', object: thing(13, 'new') },
    ]);
  });

  it('keeps the result of an own write made while the list was read', () => {
    const state = stateWith(10, thing(1));
    state.beginList();
    state.observe(thing(21));
    state.observe(thing(22, 'new'));
    expect(state.endList([thing(1)], '20')).toEqual([]);
    expect(state.store.list().map(({ value }) => value)).toEqual([21, 22]);
  });

  it('accepts a list that is older than the cache: the cluster was restored from a backup', () => {
    const state = stateWith(100, thing(90), thing(91, 'b'));
    state.observe(thing(101));
    state.beginList();
    state.endList([thing(30)], '50');
    expect(state.store.list().map(({ value }) => value)).toEqual([30]);
    expect(state.observe(thing(51))).toHaveLength(1);
  });

  it('ignores the event of a write whose answer it already has', () => {
    const state = stateWith(10, thing(1));
    expect(state.observe(thing(11))).toHaveLength(1);
    expect(state.applyEvent({ type: 'MODIFIED', object: thing(11) })).toEqual([]);
  });

  it('ignores events that are older than an own write', () => {
    const state = stateWith(10, thing(1));
    state.observe(thing(13));
    expect(state.applyEvent({ type: 'MODIFIED', object: thing(12) })).toEqual([]);
    expect(state.store.get(ref)?.value).toBe(13);
  });

  it.each([
    [
      'deleted in the watch',
      (state: ReturnType<typeof stateWith>) => state.applyEvent({ type: 'DELETED', object: thing(12) }),
    ],
    [
      'passed over by a bookmark',
      (state: ReturnType<typeof stateWith>) => state.applyEvent({ type: 'BOOKMARK', resourceVersion: '12' }),
    ],
    ['missing in a list', (state: ReturnType<typeof stateWith>) => state.endList([], '12')],
  ])('does not bring back an object that was %s', (_reason, see) => {
    const state = stateWith(10);
    see(state);
    expect(state.observe(thing(11))).toEqual([]);
    expect(state.store.get(ref)).toBeUndefined();
  });

  it('reports a deletion first when an object of the same name has another uid', () => {
    const state = stateWith(10, thing(1));
    expect(state.observe(thing(14, 'a', 'other'))).toEqual([
      { type: 'deleted', object: thing(1), previous: thing(1) },
      { type: 'set', object: thing(14, 'a', 'other') },
    ]);
    expect(state.applyEvent({ type: 'DELETED', object: thing(13) })).toEqual([]);
    expect(state.store.get(ref)?.metadata.uid).toBe('other');
  });

  it('finds objects by index, by their current values', () => {
    const state = stateWith(10, thing(1), thing(1, 'b'));
    expect(state.store.byIndex('value', '1')).toHaveLength(2);
    state.applyEvent({ type: 'MODIFIED', object: thing(11) });
    state.applyEvent({ type: 'DELETED', object: thing(12, 'b') });
    expect(state.store.byIndex('value', '1')).toEqual([]);
    expect(state.store.byIndex('value', '11')).toEqual([thing(11)]);
    expect(() => state.store.byIndex('other', 'a')).toThrow('unknown index "other"');
  });

  it('drops managed fields and the last-applied annotation, and does not change the original', () => {
    const state = stateWith(10);
    const metadata = {
      ...thing(11).metadata,
      managedFields: [{}],
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', note: 'x' },
    };
    const object = { ...thing(11), metadata };
    state.applyEvent({ type: 'ADDED', object });
    expect(state.store.get(ref)?.metadata).toEqual({ ...thing(11).metadata, annotations: { note: 'x' } });
    expect(Object.keys(object.metadata.annotations)).toHaveLength(2);
  });

  it('ends with the state of the server, however own writes and events interleave', () => {
    const write = fc.record({ name: fc.constantFrom('a', 'b'), isDelete: fc.boolean(), lag: fc.nat(4) });
    fc.assert(
      fc.property(fc.array(write, { maxLength: 20 }), (writes) => {
        const run = createRun();
        for (const [step, one] of writes.entries()) run.perform(one, step);
        for (const { object } of run.late) run.state.observe(object);
        expect(valuesOf(run.state.store.list())).toEqual(valuesOf([...run.server.values()]));
      }),
    );
  });
});
