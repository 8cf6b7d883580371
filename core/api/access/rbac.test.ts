import type { AccessRule } from './rbac/rule.ts';
import { peopleAccess, processAccess } from './rbac.ts';

const rulesOf = (process: keyof typeof processAccess): AccessRule[] =>
  Object.values(processAccess[process]).flatMap((rules: readonly AccessRule[]) => rules);

function verbsOn(rules: readonly AccessRule[], group: string, resource: string): string[] {
  return rules
    .filter((rule) => rule.groups.includes(group) && rule.resources.includes(resource))
    .flatMap((rule) => rule.verbs);
}

const all = [...rulesOf('apiserver'), ...rulesOf('operator')];

test('no rule has a wildcard', () => {
  const words = all.flatMap(({ groups, resources, verbs }) => [...groups, ...resources, ...verbs]);
  expect(words).not.toContain('*');
});

test('the apiserver may not touch core secrets', () => {
  expect(verbsOn(rulesOf('apiserver'), '', 'secrets')).toEqual([]);
});

test('the apiserver may only read the two configmaps of engines, by their names', () => {
  const [rule, ...others] = rulesOf('apiserver').filter(({ resources }) => resources.includes('configmaps'));
  expect(others).toEqual([]);
  expect(processAccess.apiserver.own).toContain(rule);
  expect(rule?.verbs).toEqual(['get', 'list', 'watch']);
  expect(rule?.names).toEqual(['slipway-engines', 'slipway-engines-available']);
});

test('the operator may change two configmaps of the namespace of the service, by their names', () => {
  const rules: readonly AccessRule[] = processAccess.operator.own;
  const changing = rules.filter(
    ({ resources, verbs }) => resources.includes('configmaps') && !verbs.includes('create'),
  );
  expect(changing.flatMap(({ verbs }) => verbs)).toEqual(['patch', 'patch']);
  expect(changing.flatMap(({ names }) => names)).toEqual([
    'slipway-engines-wanted',
    'slipway-workspace-shares',
  ]);
});

test('the apiserver reads only the list and the logs of pods, and only in workspaces', () => {
  const { workspaces, cluster, workspaceNamespaces, own } = processAccess.apiserver;
  expect(workspaces.map(({ resources, verbs }) => [...resources, ...verbs])).toEqual([
    ['pods', 'list'],
    ['pods/log', 'get'],
  ]);
  const elsewhere = [...cluster, ...workspaceNamespaces, ...own].flatMap(
    (rule: AccessRule) => rule.resources,
  );
  expect(elsewhere.filter((resource) => resource.startsWith('pods'))).toEqual([]);
});

test('the apiserver may only read core services', () => {
  expect(verbsOn(rulesOf('apiserver'), '', 'services').sort()).toEqual(['get', 'list', 'watch']);
});

test('nobody may run commands in a pod or impersonate others', () => {
  const resources = all.flatMap((rule) => rule.resources);
  for (const forbidden of ['pods/exec', 'pods/attach', 'pods/portforward', 'serviceaccounts/token']) {
    expect(resources).not.toContain(forbidden);
  }
  const verbs = all.flatMap((rule) => rule.verbs);
  for (const forbidden of ['impersonate', 'escalate']) expect(verbs).not.toContain(forbidden);
});

test('the operator may bind only the workspace roles of Slipway, and the apiserver none', () => {
  const binding = all.filter((rule) => rule.verbs.includes('bind'));
  expect(binding.map(({ names }) => names)).toEqual([
    ['{workspace role}', '{workspace namespace role}', '{apiserver workspace role}'],
  ]);
  expect(verbsOn(rulesOf('apiserver'), 'rbac.authorization.k8s.io', 'rolebindings')).toEqual([]);
});

test('namespaces are changed and deleted only where the operator has a role binding', () => {
  const { workspaceNamespaces, cluster, workspaces, own } = processAccess.operator;
  expect(verbsOn(workspaceNamespaces, '', 'namespaces')).toEqual(['patch', 'delete']);
  expect(verbsOn([...cluster, ...workspaces, ...own], '', 'namespaces').sort()).toEqual([
    'create',
    'get',
    'list',
    'watch',
  ]);
});

test('the operator cannot access API keys and sessions, and nobody can change one', () => {
  const reached = rulesOf('operator').flatMap((rule) => rule.resources);
  expect(
    reached.filter((name) =>
      /apikeys|sessions|passkeys|passwords|signintickets|invitations|idempotency/.test(name),
    ),
  ).toEqual([]);
  for (const kind of ['apikeys', 'sessions']) {
    expect(verbsOn(rulesOf('apiserver'), 'slipway.dev', kind).sort()).toEqual([
      'create',
      'delete',
      'get',
      'list',
      'watch',
    ]);
  }
});

test('no rule for accounts applies outside the namespace of the service', () => {
  const outside = [processAccess.apiserver, processAccess.operator].flatMap(
    ({ cluster, workspaces, workspaceNamespaces }) =>
      [...cluster, ...workspaces, ...workspaceNamespaces].flatMap((rule: AccessRule) => rule.resources),
  );
  const people = Object.values(peopleAccess).flatMap((rules) => rules.flatMap((rule) => rule.resources));
  const accounts =
    /^(workspaces|users|memberships|invitations|apikeys|sessions|passkeys|passwords|signintickets|idempotencyrecords)/;
  expect([...outside, ...people].filter((name) => accounts.test(name))).toEqual([]);
});

test('the operator can access core secrets only in workspaces', () => {
  expect(verbsOn(processAccess.operator.cluster, '', 'secrets')).toEqual([]);
  expect(verbsOn(processAccess.operator.workspaces, '', 'secrets')).toContain('create');
});

test('the operator changes nothing of a sealed secret but its labels, which a policy sees to; it wakes networks with a patch, and never creates one', () => {
  const verbs = verbsOn(rulesOf('operator'), 'slipway.dev', 'secrets');
  expect(verbs.toSorted()).toEqual(['create', 'get', 'list', 'patch', 'watch']);
  const { cluster, workspaces, workspaceNamespaces, own } = processAccess.operator;
  expect(verbsOn([...cluster, ...own], 'slipway.dev', 'networks')).toEqual(['get', 'list', 'watch', 'patch']);
  // Those that expire.
  expect(verbsOn([...workspaces, ...workspaceNamespaces], 'slipway.dev', 'networks')).toEqual(['delete']);
});

test('viewers do not see secrets; nobody may edit status', () => {
  expect(verbsOn(peopleAccess.view, 'slipway.dev', 'secrets')).toEqual([]);
  expect(peopleAccess.edit.flatMap((rule) => rule.resources).filter((name) => name.includes('/'))).toEqual(
    [],
  );
});
