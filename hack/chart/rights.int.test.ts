import { stringify } from 'yaml';
import { run, tryRun } from '../lib/run.ts';
import { testKubeconfig } from '../testenv/testKube.ts';
import { ensureTools } from '../tools/ensure.ts';
import { type Manifest, renderChart, whyNoHelm } from './render.ts';

const suite = whyNoHelm() ? describe.skip : describe;
const account = (process: string) => `system:serviceaccount:slipway-system:slipway-${process}`;
const env = { KUBECONFIG: testKubeconfig() };
const rbacKinds = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];

suite(`rights of the chart${whyNoHelm() ? ` (skipped: ${whyNoHelm()})` : ''}`, () => {
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
  }, 60_000);

  it('let the operator make a workspace’s home and remove it, step by step', async () => {
    const workspaceNamespace = `slipway-w${process.pid}`;
    expect(await applyAs('operator', namespaceOf(workspaceNamespace))).toMatchObject({ isDone: false });
    const created = await tryRun(
      kubectl,
      ['create', 'namespace', workspaceNamespace, `--as=${account('operator')}`],
      {
        env,
      },
    );
    expect(created.code).toBe(0);
    expect((await ask('operator', 'delete', 'namespace', workspaceNamespace, '--wait=false')).isDone).toBe(
      false,
    );
    expect(await applyAs('operator', policyIn(workspaceNamespace))).toMatchObject({ isDone: true });
    for (const role of [
      'slipway-operator-workspace.slipway-system',
      'slipway-operator-home.slipway-system',
    ]) {
      expect(await applyAs('operator', bindingOf(workspaceNamespace, role))).toMatchObject({ isDone: true });
    }
    expect((await ask('operator', 'auth', 'can-i', 'create', 'pods', '-n', workspaceNamespace)).isDone).toBe(
      true,
    );
    expect(
      (await ask('operator', 'auth', 'can-i', 'create', 'secrets.slipway.dev', '-n', workspaceNamespace))
        .isDone,
    ).toBe(true);
    expect((await ask('operator', 'label', 'namespace', workspaceNamespace, 'a=b')).isDone).toBe(true);
    expect((await ask('operator', 'delete', 'namespace', workspaceNamespace, '--wait=false')).isDone).toBe(
      true,
    );
  }, 60_000);

  it('let the operator bind no role but its own', async () => {
    const { isDone, output } = await applyAs('operator', bindingOf('bystander', 'cluster-admin'));
    expect([isDone, output]).toEqual([
      false,
      expect.stringContaining('attempting to grant RBAC permissions'),
    ]);
  });

  it.each<[string, string, string[], boolean]>([
    [
      'the operator deletes no namespace of others',
      'operator',
      ['delete', 'namespaces', '-n', 'bystander'],
      false,
    ],
    ['nor the default workspace’s', 'operator', ['delete', 'namespaces', '-n', 'slipway-default'], false],
    ['nor its own', 'operator', ['delete', 'namespaces', '-n', 'slipway-system'], false],
    ['the operator runs nothing elsewhere', 'operator', ['create', 'pods', '-n', 'bystander'], false],
    ['the operator reads no API keys', 'operator', ['get', 'apikeys', '-n', 'slipway-system'], false],
    ['the operator reads no invitations', 'operator', ['list', 'invitations', '-n', 'slipway-system'], false],
    [
      'the operator never changes a secret',
      'operator',
      ['patch', 'secrets.slipway.dev', '-n', 'slipway-default'],
      false,
    ],
    ['the operator makes workspaces', 'operator', ['create', 'workspaces', '-n', 'slipway-system'], true],
    ['… in its own namespace alone', 'operator', ['create', 'workspaces', '-n', 'bystander'], false],
    ['the API server checks API keys', 'apiserver', ['watch', 'apikeys', '-n', 'slipway-system'], true],
    ['… and never changes one', 'apiserver', ['update', 'apikeys', '-n', 'slipway-system'], false],
    ['the API server reads no accounts elsewhere', 'apiserver', ['list', 'users', '-A'], false],
    ['the API server touches no pods', 'apiserver', ['get', 'pods', '-n', 'slipway-default'], false],
    ['the API server reads no core secrets', 'apiserver', ['get', 'secrets', '-n', 'slipway-system'], false],
    ['the API server makes no namespaces', 'apiserver', ['create', 'namespaces'], false],
  ])('%s', async (_rule, process, args, isAllowed) => {
    expect((await ask(process, 'auth', 'can-i', ...args)).output.trim().split('\n').at(-1)).toBe(
      isAllowed ? 'yes' : 'no',
    );
  });
});
