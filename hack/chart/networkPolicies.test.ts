import { globSync, readFileSync } from 'node:fs';
import { aKeyring } from '../../core/accounts/testing/keyrings.ts';
import { labels } from '../../core/api/names.ts';
import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { driverOf } from '../../core/chains/registry.ts';
import type { Pod } from '../../core/kube/types.ts';
import { chainMembersOf } from '../../core/networks/chainChange.ts';
import { testPlugin } from '../../core/plugins/testing/testPlugin.ts';
import { decide } from '../../operator/network/decide/decide.ts';
import {
  aNetwork,
  anInstallation,
  aPod,
  factsOf,
  readyStatus,
  someEngines,
} from '../../operator/network/testing/facts.ts';
import { begun, facts, participants } from '../../operator/network/testing/participants.ts';
import { warmModelOf } from '../../operator/warm/models.ts';
import { renderWaitingPod } from '../../operator/warm/waitingPod.ts';
import { projectRoot } from '../lib/paths.ts';
import { configOf, helmSkipReason, type Manifest, renderChart } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;

/** Values with which the chart renders all that it can. */
const everything = {
  crds: { keep: false },
  keys: { reseal: true },
  forkSources: { Ethereum: 'https://node.example' },
  forks: { ownSources: { allowedHosts: ['node.example'] } },
  tracing: { endpoint: 'http://collector.monitoring:4318' },
  smtp: { host: 'mail.example', from: 'slipway@mail.example' },
  serviceMonitor: { enabled: true },
  monitoring: { alerts: { enabled: true }, dashboard: { enabled: true } },
  ingress: { enabled: true, host: 'slipway.example' },
};

type Labels = Readonly<Record<string, string>>;
interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}
interface Policy {
  podSelector: Selector;
  policyTypes: string[];
}

/** Anything in a manifest that kube-apiserver would make pods from, whatever its kind, with the labels of those pods. */
function templatesIn(value: unknown): Labels[] {
  if (typeof value !== 'object' || value === null) return [];
  const { metadata, spec } = value as { metadata?: { labels?: Labels }; spec?: { containers?: unknown } };
  const own = Array.isArray(spec?.containers) ? [metadata?.labels ?? {}] : [];
  return [...own, ...Object.values(value).flatMap(templatesIn)];
}

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  const isMatch = ({ key, operator, values = [] }: NonNullable<Selector['matchExpressions']>[number]) => {
    const value = labels[key];
    if (operator === 'Exists') return value !== undefined;
    if (operator === 'In') return value !== undefined && values.includes(value);
    throw new Error(`a podSelector with ${operator} is not understood here`);
  };
  const isEqual = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return isEqual && matchExpressions.every(isMatch);
}

/** What no policy limits of a pod with these labels. */
function unlimited(policies: readonly Policy[], labels: Labels): string[] {
  const found = policies.filter(({ podSelector }) => selects(podSelector, labels));
  const limited = found.flatMap(({ policyTypes }) => policyTypes);
  return ['Ingress', 'Egress'].filter((direction) => !limited.includes(direction));
}

/** The names of manifests some of whose pods may be reached by everybody, or reach everybody. */
function openPodsOf(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap((manifest) => {
    const { name, namespace } = manifest.metadata;
    const policies = manifests.filter(
      (one) => one.kind === 'NetworkPolicy' && one.metadata.namespace === namespace,
    );
    const specs = policies.map(({ spec }): Policy => spec);
    return templatesIn(manifest).flatMap((labels) =>
      unlimited(specs, labels).map((direction) => `${manifest.kind} ${name}: ${direction}`),
    );
  });
}

suite(`network policies of the chart${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  let manifests: Manifest[];
  beforeAll(async () => {
    manifests = await renderChart(everything);
  });

  it('limit whom every pod that the chart makes reaches, and who reaches it, with all that is optional', () => {
    const makers = manifests.filter((manifest) => templatesIn(manifest).length > 0);
    expect(makers.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'Deployment slipway-apiserver',
      'Deployment slipway-compilers',
      'Deployment slipway-forks',
      'Deployment slipway-operator',
      'Deployment slipway-webhook',
      'Job slipway-keys',
      'Job slipway-purge',
      'Job slipway-reseal-1',
      'Pod slipway-test',
    ]);
    expect(openPodsOf(manifests)).toEqual([]);
  });

  it('are missed by this test where they are missing', () => {
    const without = manifests.filter(
      ({ kind, metadata }) => kind !== 'NetworkPolicy' || !/-(reseal|purge)$/.test(metadata.name),
    );
    expect(openPodsOf(without).sort()).toEqual(
      ['Job slipway-purge', 'Job slipway-reseal-1'].flatMap((job) => [`${job}: Egress`, `${job}: Ingress`]),
    );
    const cronJob: Manifest = {
      kind: 'CronJob',
      metadata: { name: 'new', namespace: 'slipway-system' },
      spec: { jobTemplate: { spec: { template: { metadata: { labels: {} }, spec: { containers: [{}] } } } } },
    };
    expect(openPodsOf([...manifests, cronJob])).toEqual(['CronJob new: Ingress', 'CronJob new: Egress']);
  });

  it('deny what no rule allows: none of them allows everything', () => {
    const rules = manifests
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .flatMap(({ spec }) => [...(spec.ingress ?? []), ...(spec.egress ?? [])]);
    expect(rules.length).toBeGreaterThan(15);
    expect(rules.filter((rule: object) => Object.keys(rule).length === 0)).toEqual([]);
  });

  describe('in the namespaces of workspaces', () => {
    const podsOf = (children: readonly { kind: string }[] | undefined) =>
      (children ?? []).filter((child): child is Pod => child.kind === 'Pod');
    const started = { number: 0, revision: 0, startedAt: '2030-01-02T03:00:01Z' };
    const status: NetworkStatus = {
      state: 'Operational',
      enclaveID: 'e',
      incarnation: { ...started, members: chainMembersOf(aNetwork().spec) },
    };
    const ready = aNetwork({ plugins: { vrf: { type: 'mpc' } } }, { status });
    const driver = driverOf('Ethereum', { vrf: testPlugin });
    const withPlugin = factsOf(ready, { pods: [aPod(ready, readyStatus)], ...(driver ? { driver } : {}) });
    const ofPlugin = podsOf(decide(withPlugin).children).filter(
      ({ metadata }) => metadata.labels?.[labels.plugin] !== undefined,
    );
    const model = warmModelOf(anInstallation(), someEngines());
    const namespace = {
      name: 'ws',
      uid: 'n-1',
      resourceVersion: '1',
      creationTimestamp: '2030-01-02T03:00:00Z',
    };
    const waiting =
      model &&
      renderWaitingPod({
        model,
        name: 'waiting',
        owner: { apiVersion: 'v1', kind: 'Namespace', metadata: namespace },
        keys: aKeyring('engine key'),
      });

    const made: [string, string, readonly Pod[]][] = [
      ['operator/network/render/pods.ts', 'a network', podsOf(decide(factsOf(aNetwork())).children)],
      ['operator/network/render/pods.ts', 'a plugin', ofPlugin],
      [
        'operator/network/render/pods.ts',
        'a network with participants',
        podsOf(decide(facts(begun())).children),
      ],
      [
        'operator/network/decide/checks/preparation.ts',
        'a network that prepares its images',
        podsOf(decide(facts(aNetwork({ participants }))).children),
      ],
      ['operator/warm/waitingPod.ts', 'a network that is yet to come', waiting ? [waiting] : []],
    ];

    it.each(made)('%s: limit the pods of %s', (_file, _whose, pods) => {
      expect(pods.length).toBeGreaterThan(0);
      const policies = configOf(manifests).workspaces.networkPolicies;
      const [own, ...others] = policies.filter(({ name }) => name === 'slipway-engines');
      expect(others).toEqual([]);
      for (const { metadata } of pods)
        expect(unlimited([own?.spec as unknown as Policy], metadata.labels ?? {})).toEqual([]);
    });

    it('have rules for whatever makes pods', () => {
      const files = globSync('{operator,core,apiserver,admission,forks}/**/*.ts', {
        cwd: projectRoot,
      }).filter((file) => !/\.test\.ts$|\/testing\/|core\/kube\//.test(file));
      const makers = files.filter((file) =>
        /kind: '(Pod|Job|CronJob|Deployment|StatefulSet|DaemonSet|ReplicaSet)'/.test(
          readFileSync(`${projectRoot}/${file}`, 'utf8'),
        ),
      );
      expect(makers.sort()).toEqual([...new Set(made.map(([file]) => file))].sort());
    });

    it('deny all to and from any other pod there', () => {
      const policies = configOf(manifests).workspaces.networkPolicies;
      expect(
        unlimited(
          policies.map(({ spec }) => spec as unknown as Policy),
          {},
        ),
      ).toEqual([]);
      const denied = policies.find(({ name }) => name === 'slipway-default-deny');
      expect(denied?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    });
  });
});
