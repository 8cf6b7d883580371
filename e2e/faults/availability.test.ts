import { jest } from '@jest/globals';
import { releaseNamespace } from '../../hack/up/names.ts';
import { getJson, kubectl, type Output } from '../lib/cluster.ts';
import { killPod, operatorLeader } from '../lib/processes.ts';
import { call, until } from '../lib/service.ts';

jest.setTimeout(300_000);

const leaseMs = 15_000;
/** How long a standby may take beyond the lease of a leader that died. */
const handoverMs = 2_000;

interface Lease {
  spec: { holderIdentity?: string; renewTime: string; acquireTime: string; leaseTransitions: number };
}

const readLease = (): Promise<Lease> => getJson('lease', 'slipway-operator', '--namespace', releaseNamespace);

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

async function rolledOut(): Promise<void> {
  for (const component of ['apiserver', 'operator', 'webhook']) {
    const status = ['rollout', 'status', `deployment/slipway-${component}`, '--timeout=120s'];
    const { code, stderr } = await kubectl(['--namespace', releaseNamespace, ...status]);
    if (code !== 0) throw new Error(stderr);
  }
}

async function podsOf(component: string): Promise<string[]> {
  const selector = `app.kubernetes.io/component=${component}`;
  const { items } = await getJson('pods', '--namespace', releaseNamespace, '--selector', selector);
  return items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

beforeEach(rolledOut);
afterAll(rolledOut);

describe('an eviction', () => {
  test.each(['apiserver', 'webhook', 'operator'])(
    'takes one replica of the %s, and the next only once there is another one',
    async (component) => {
      const [first = '', second = ''] = await podsOf(component);
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
    const answers = new Map<number, number>();
    let isDone = false;
    const reading = (async () => {
      while (!isDone) {
        const { status } = await call('GET', '/v1alpha/networks?limit=1');
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    })();
    try {
      for (const name of await podsOf('apiserver')) {
        await until(
          `the eviction of ${name}`,
          () => evict(name),
          ({ code }) => code === 0,
        );
        await rolledOut();
      }
    } finally {
      isDone = true;
      await reading;
    }
    expect([...answers.keys()]).toEqual([200]);
  });
});

describe('the lease of the operator', () => {
  async function nextTerm(former: Lease): Promise<Lease> {
    const { holderIdentity: old } = former.spec;
    return until(
      'another leader',
      readLease,
      ({ spec }) => Boolean(spec.holderIdentity) && spec.holderIdentity !== old,
    );
  }

  it('is released by a leader that is evicted, before it expires', async () => {
    const before = await readLease();
    expect((await evict(await operatorLeader(releaseNamespace))).code).toBe(0);
    const after = await nextTerm(before);
    // The leaders wrote both times; they run on one machine.
    const sinceRenewalMs = Date.parse(after.spec.acquireTime) - Date.parse(before.spec.renewTime);
    expect(sinceRenewalMs).toBeLessThan(leaseMs);
  });

  it('is taken from a leader that was killed within two seconds after it expires', async () => {
    const leader = await operatorLeader(releaseNamespace);
    await killPod(releaseNamespace, leader);
    const before = await readLease();
    const after = await nextTerm(before);
    const sinceRenewalMs = Date.parse(after.spec.acquireTime) - Date.parse(before.spec.renewTime);
    expect(sinceRenewalMs).toBeLessThanOrEqual(leaseMs + handoverMs);
  });
});
