import { releaseNamespace } from '../../hack/up/names.ts';
import { kubectl, type Output } from '../lib/cluster.ts';
import {
  components,
  handoverMs,
  handoverTime,
  leaseMs,
  nextLease,
  podsOf,
  readLease,
  rolledOut,
} from '../lib/components.ts';
import { killPod, operatorLeader } from '../lib/processes.ts';
import { until } from '../lib/service.ts';
import { startReader } from './reader.ts';

/** Asks for the eviction of a pod, as a drain does. */
function evict(name: string): Promise<Output> {
  const path = `/api/v1/namespaces/${releaseNamespace}/pods/${name}/eviction`;
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace: releaseNamespace },
  };
  return kubectl(['create', '--raw', path, '--filename', '-'], JSON.stringify(eviction));
}

beforeEach(() => rolledOut());
afterAll(() => rolledOut());

describe('an eviction', () => {
  test.each(components)(
    'takes one replica of the %s, and the next only once there is another one',
    async (component) => {
      const [first = '', second = ''] = (await podsOf(component)).map(({ metadata }) => metadata.name);
      expect((await evict(first)).code).toBe(0);
      const refused = await evict(second);
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain('disruption budget');
      await rolledOut();
      const allowed = await until(
        'the next eviction',
        () => evict(second),
        ({ code }) => code === 0,
      );
      expect(allowed.stderr).toBe('');
    },
  );

  it('of API servers, one after another, is not noticed by those who read', async () => {
    const reader = startReader();
    try {
      for (const { metadata } of await podsOf('apiserver')) {
        const { name } = metadata;
        await until(
          `the eviction of ${name}`,
          () => evict(name),
          ({ code }) => code === 0,
        );
        await rolledOut();
      }
    } finally {
      await reader.stop();
    }
    expect([reader.wrong, reader.announced()]).toEqual([[], 0]);
    expect(reader.reads()).toBeGreaterThan(0);
  });
});

describe('the lease of the operator', () => {
  it('is released by a leader that is evicted, before it expires', async () => {
    const before = await readLease();
    expect((await evict(await operatorLeader(releaseNamespace))).code).toBe(0);
    expect(handoverTime(before, await nextLease(before))).toBeLessThan(leaseMs);
  });

  it('is taken from a leader that was killed within two seconds after it expires', async () => {
    const leader = await operatorLeader(releaseNamespace);
    await killPod(releaseNamespace, leader);
    const before = await readLease();
    expect(handoverTime(before, await nextLease(before))).toBeLessThanOrEqual(leaseMs + handoverMs);
  });
});
