import { stringify } from 'yaml';
import { engineObjects, leaderLease, workspaceSharesObject, writtenLease } from '../../core/api/names.ts';
import { run, tryRun } from '../lib/run.ts';
import { testKubeconfig } from '../testenv/testKube.ts';
import { ensureTools } from '../tools/ensure.ts';
import { helmSkipReason, type Manifest, renderChart } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;
const account = (process: string) => `system:serviceaccount:slipway-system:slipway-${process}`;
const env = { KUBECONFIG: testKubeconfig() };
const rbacKinds = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];

suite(`chart RBAC${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  let kubectl: string;
  const ask = async (as: string, ...args: string[]) => {
    const { code, output } = await tryRun(kubectl, [...args, `--as=${account(as)}`], { env });
    return { isDone: code === 0, output };
  };
  const applyAs = async (as: string, object: object) => {
    const args = ['apply', '--server-side', '--field-manager=test', `--as=${account(as)}`, '-f', '-'];
    const { code, output } = await tryRun(kubectl, args, { env, input: stringify(object) });
    return { isDone: code === 0, output };
  };
  const namespaceOf = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const bindingOf = (namespace: string, role: string) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: role, namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: 'slipway-operator', namespace: 'slipway-system' }],
  });
  const policyIn = (namespace: string) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'slipway-default-deny', namespace },
    spec: { podSelector: {}, policyTypes: ['Ingress'] },
  });

  const budgetIn = (namespace: string) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'slipway-budget', namespace },
    spec: { hard: { pods: '5' } },
  });

  beforeAll(async () => {
    kubectl = (await ensureTools(['kubectl'])).kubectl;
    const manifests = (await renderChart()).filter(
      ({ kind, metadata }: Manifest) => rbacKinds.includes(kind) && metadata.name.startsWith('slipway-'),
    );
    const all = [
      namespaceOf('slipway-system'),
      namespaceOf('slipway-default'),
      namespaceOf('bystander'),
      ...manifests,
    ];
    const input = all.map((manifest) => stringify(manifest)).join('---\n');
    await run(kubectl, ['apply', '--server-side', '-f', '-'], { env, input });
  });

  it('lets the operator set up and remove a workspace namespace step by step', async () => {
    const workspace = `slipway-w${process.pid}`;
    expect(await applyAs('operator', namespaceOf(workspace))).toMatchObject({ isDone: false });
    const created = await tryRun(kubectl, ['create', 'namespace', workspace, `--as=${account('operator')}`], {
      env,
    });
    expect(created.code).toBe(0);
    expect((await ask('operator', 'delete', 'namespace', workspace, '--wait=false')).isDone).toBe(false);
    expect(await applyAs('operator', policyIn(workspace))).toMatchObject({ isDone: true });
    expect(await applyAs('operator', budgetIn(workspace))).toMatchObject({ isDone: true });
    for (const role of [
      'slipway-operator-workspace.slipway-system',
      'slipway-operator-home.slipway-system',
      'slipway-apiserver-workspace.slipway-system',
    ]) {
      expect(await applyAs('operator', bindingOf(workspace, role))).toMatchObject({ isDone: true });
    }
    expect((await ask('operator', 'auth', 'can-i', 'create', 'pods', '-n', workspace)).isDone).toBe(true);
    expect(
      (await ask('operator', 'auth', 'can-i', 'create', 'secrets.slipway.dev', '-n', workspace)).isDone,
    ).toBe(true);
    expect((await ask('operator', 'label', 'namespace', workspace, 'a=b')).isDone).toBe(true);
    expect((await ask('operator', 'delete', 'namespace', workspace, '--wait=false')).isDone).toBe(true);
  });

  it('lets the operator bind only its own roles', async () => {
    const { isDone, output } = await applyAs('operator', bindingOf('bystander', 'cluster-admin'));
    expect([isDone, output]).toEqual([
      false,
      expect.stringContaining('attempting to grant RBAC permissions'),
    ]);
  });

  it.each<[string, string, string[], boolean]>([
    [
      "the operator cannot delete other people's namespaces",
      'operator',
      ['delete', 'namespaces', '-n', 'bystander'],
      false,
    ],
    [
      'the operator cannot delete the namespace of the default workspace',
      'operator',
      ['delete', 'namespaces', '-n', 'slipway-default'],
      false,
    ],
    [
      'the operator cannot delete its own namespace',
      'operator',
      ['delete', 'namespaces', '-n', 'slipway-system'],
      false,
    ],
    ...[engineObjects.chart, engineObjects.available].flatMap(
      (name): [string, string, string[], boolean][] => [
        [
          `the API server can watch ${name}`,
          'apiserver',
          ['watch', `configmaps/${name}`, '-n', 'slipway-system'],
          true,
        ],
        [
          `the operator cannot change ${name}`,
          'operator',
          ['patch', `configmaps/${name}`, '-n', 'slipway-system'],
          false,
        ],
      ],
    ),
    [
      'the operator can write what networks wait for',
      'operator',
      ['patch', `configmaps/${engineObjects.wanted}`, '-n', 'slipway-system'],
      true,
    ],
    [
      'the operator can write which workspaces have one owner',
      'operator',
      ['patch', `configmaps/${workspaceSharesObject}`, '-n', 'slipway-system'],
      true,
    ],
    [
      'the API server can see whether a builder lives',
      'apiserver',
      ['watch', `leases/${engineObjects.builder}`, '-n', 'slipway-system'],
      true,
    ],
    [
      'the API server cannot read other ConfigMaps of its namespace',
      'apiserver',
      ['list', 'configmaps', '-n', 'slipway-system'],
      false,
    ],
    [
      'the API server cannot change what is available',
      'apiserver',
      ['patch', `configmaps/${engineObjects.available}`, '-n', 'slipway-system'],
      false,
    ],
    [
      'the operator can take the Lease of the leader',
      'operator',
      ['update', `leases/${leaderLease}`, '-n', 'slipway-system'],
      true,
    ],
    [
      'the operator can see whether a builder lives',
      'operator',
      ['watch', `leases/${engineObjects.builder}`, '-n', 'slipway-system'],
      true,
    ],
    ...[engineObjects.builder, writtenLease].map((name): [string, string, string[], boolean] => [
      `the operator cannot change the Lease ${name}`,
      'operator',
      ['update', `leases/${name}`, '-n', 'slipway-system'],
      false,
    ]),
    [
      'the operator cannot read core Secrets of workspaces',
      'operator',
      ['get', 'secrets', '-n', 'slipway-default'],
      false,
    ],
    ['the operator cannot run pods elsewhere', 'operator', ['create', 'pods', '-n', 'bystander'], false],
    ['the operator cannot read API keys', 'operator', ['get', 'apikeys', '-n', 'slipway-system'], false],
    [
      'the operator cannot read invitations',
      'operator',
      ['list', 'invitations', '-n', 'slipway-system'],
      false,
    ],
    [
      'the operator cannot replace a secret: what it may patch is its id, which a policy sees to',
      'operator',
      ['update', 'secrets.slipway.dev', '-n', 'slipway-default'],
      false,
    ],
    [
      'the operator can create workspaces',
      'operator',
      ['create', 'workspaces', '-n', 'slipway-system'],
      true,
    ],
    [
      'the operator cannot create workspaces outside its own namespace',
      'operator',
      ['create', 'workspaces', '-n', 'bystander'],
      false,
    ],
    ['the API server can watch API keys', 'apiserver', ['watch', 'apikeys', '-n', 'slipway-system'], true],
    [
      'the API server cannot change an API key',
      'apiserver',
      ['update', 'apikeys', '-n', 'slipway-system'],
      false,
    ],
    ['the API server cannot read accounts elsewhere', 'apiserver', ['list', 'users', '-A'], false],
    ['the API server cannot read pods', 'apiserver', ['get', 'pods', '-n', 'slipway-default'], false],
    ['the API server lists pods of workspaces', 'apiserver', ['list', 'pods', '-n', 'slipway-default'], true],
    [
      'the API server reads logs of workspaces',
      'apiserver',
      ['get', 'pods', '--subresource=log', '-n', 'slipway-default'],
      true,
    ],
    [
      'the API server cannot read logs elsewhere',
      'apiserver',
      ['get', 'pods', '--subresource=log', '-n', 'slipway-system'],
      false,
    ],
    ['the API server cannot list pods elsewhere', 'apiserver', ['list', 'pods', '-n', 'bystander'], false],
    [
      'the API server cannot read core Secrets',
      'apiserver',
      ['get', 'secrets', '-n', 'slipway-system'],
      false,
    ],
    ['the API server cannot create namespaces', 'apiserver', ['create', 'namespaces'], false],
    ['the keys Job can read the keys', 'keys', ['get', 'secrets/slipway-keys', '-n', 'slipway-system'], true],
    [
      'the keys Job cannot read other Secrets',
      'keys',
      ['get', 'secrets/slipway-webhook-tls', '-n', 'slipway-system'],
      false,
    ],
    ['the keys Job cannot list Secrets', 'keys', ['list', 'secrets', '-n', 'slipway-system'], false],
    [
      'the keys Job cannot delete the keys',
      'keys',
      ['delete', 'secrets/slipway-keys', '-n', 'slipway-system'],
      false,
    ],
    ['the keys Job cannot create Secrets elsewhere', 'keys', ['create', 'secrets', '-n', 'bystander'], false],
  ])('%s', async (_rule, process, args, isAllowed) => {
    expect((await ask(process, 'auth', 'can-i', ...args)).output.trim().split('\n').at(-1)).toBe(
      isAllowed ? 'yes' : 'no',
    );
  });
});
