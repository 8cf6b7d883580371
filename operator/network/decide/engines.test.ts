import type { Offer } from '../../../core/engines/engineSet.ts';
import { aNetwork, aPod, factsOf, readyStatus, someEngines } from '../testing/facts.ts';
import { running } from '../testing/running.ts';
import { decide } from './decide.ts';

const since = '2030-01-02T12:03:10Z';
const thorchain = () => {
  const network = aNetwork();
  return { ...network, spec: { chain: { type: 'Thorchain', thorchain: {} } } } as const;
};
const offering = (offer?: Offer) => ({ ...someEngines(), offers: offer ? { thornode: offer } : {} });
const building: Offer = { state: 'Building', takes: 'about 3 minutes', since };

describe('a network whose engine is not there', () => {
  it.each<[string, Offer | undefined, object]>([
    [
      'waits while it is built, with what is built and about how long it takes',
      building,
      {
        state: 'Pending',
        reason: 'EngineBuilding',
        message: 'engines.thornode is being built, which takes about 3 minutes (since 12:03:10 UTC)',
      },
    ],
    [
      'says why the build failed',
      { state: 'Failed', takes: 'about 3 minutes', since, reason: 'no space is left' },
      {
        state: 'Error',
        reason: 'EngineBuildFailed',
        message: expect.stringMatching(
          /^engines.thornode could not be built .*: no space is left; it is tried/,
        ),
      },
    ],
    [
      'says what to do where nobody builds it',
      undefined,
      {
        state: 'Error',
        reason: 'NotAvailable',
        message: expect.stringMatching(/^spec.chain.type: needs engines.thornode, .* or run "make engines/),
      },
    ],
  ])('%s', (_reason, offer, status) => {
    const decision = decide(factsOf(thorchain(), { engineSet: offering(offer), hotKey: undefined }));
    expect(decision.status).toMatchObject(status);
    expect(decision.children).toEqual([]);
  });

  it('says what else is wrong first: no engine helps against it', () => {
    const network = thorchain();
    const spec = { chain: { ...network.spec.chain, thorchain: { blockMaxBytes: 9 } } };
    const facts = factsOf({ ...network, spec }, { engineSet: offering(building), hotKey: undefined });
    expect(decide(facts).status).toMatchObject({
      state: 'Error',
      message: expect.stringContaining('blockMaxBytes'),
    });
  });

  it('is not looked at each second: a change of what there is looks at it', () => {
    const facts = factsOf(thorchain(), { engineSet: offering(building), hotKey: undefined });
    expect(decide(facts).requeueAfterMs).toBeGreaterThanOrEqual(60_000);
  });

  it('says the same as long as the builder does the same', () => {
    const network = thorchain();
    const first = decide(factsOf(network, { engineSet: offering(building), hotKey: undefined }));
    const later = factsOf(
      { ...network, status: first.status },
      { engineSet: offering(building), hotKey: undefined, nowMs: Date.parse('2030-01-02T12:05:00Z') },
    );
    expect(decide(later).status.message).toBe(first.status.message);
  });
});

it('a running network whose engine is gone runs on, and says so', () => {
  const { facts } = running(1);
  const { status, children } = decide({ ...facts, engineSet: { images: {}, offers: {}, allowed: {} } });
  expect(status.state).toBe('Operational');
  expect(status.message).toMatch(/^running; cannot be reprovisioned: .*needs engines.evm-dev/);
  expect(children).toBeUndefined();
});

it('a change of another engine changes nothing about a running network', () => {
  const { facts, network } = running(1);
  const pods = [aPod(network, readyStatus)];
  const next = decide({ ...facts, pods, engineSet: someEngines({ geth: {}, 'evm-dev': {} }) });
  const before = decide({ ...facts, pods });
  expect(next).toEqual(before);
});

it('a plugin that waits for its engine does not keep its network from running', () => {
  const offers = { postgres: building, graph: { state: 'Buildable', takes: 'a minute' } } as const;
  const { status, children, plugins } = decide(
    factsOf(aNetwork({ plugins: { graph: {} } }), { engineSet: { ...someEngines(), offers } }),
  );
  expect(status.state).toBe('Pending');
  expect(children?.map(({ kind }) => kind)).toContain('Pod');
  expect(plugins?.refused).toEqual({});
  expect(plugins?.waiting.graph).toBe(
    'engines.postgres is being built, which takes about 3 minutes (since 12:03:10 UTC); then engines.graph (a minute)',
  );
});
