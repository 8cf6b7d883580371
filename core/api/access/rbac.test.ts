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

test.each(['pods', 'secrets', 'configmaps', 'services'])(
  'the apiserver may not touch core %s',
  (resource) => {
    expect(verbsOn(rulesOf('apiserver'), '', resource)).toEqual([]);
  },
);

test('nobody may run a command in a pod, or become someone else', () => {
  const resources = all.flatMap((rule) => rule.resources);
  for (const forbidden of ['pods/exec', 'pods/attach', 'pods/portforward', 'serviceaccounts/token']) {
    expect(resources).not.toContain(forbidden);
  }
  const verbs = all.flatMap((rule) => rule.verbs);
  for (const forbidden of ['impersonate', 'escalate']) expect(verbs).not.toContain(forbidden);
});

test('the operator binds its two roles of workspaces and nothing else, and the apiserver none', () => {
  const binding = all.filter((rule) => rule.verbs.includes('bind'));
  expect(binding.map(({ names }) => names)).toEqual([['{workspace role}', '{home role}']]);
  expect(verbsOn(rulesOf('apiserver'), 'rbac.authorization.k8s.io', 'rolebindings')).toEqual([]);
});

test('namespaces are changed and deleted only where the operator bound itself', () => {
  const { workspaceNamespaces, cluster, workspaces, own } = processAccess.operator;
  expect(verbsOn(workspaceNamespaces, '', 'namespaces')).toEqual(['patch', 'delete']);
  expect(verbsOn([...cluster, ...workspaces, ...own], '', 'namespaces').sort()).toEqual([
    'create',
    'get',
    'list',
    'watch',
  ]);
});

test('API keys are out of the operator’s reach, and nobody changes one', () => {
  const reached = rulesOf('operator').flatMap((rule) => rule.resources);
  expect(reached.filter((name) => /apikeys|invitations|idempotency/.test(name))).toEqual([]);
  expect(verbsOn(rulesOf('apiserver'), 'slipway.dev', 'apikeys').sort()).toEqual([
    'create',
    'delete',
    'get',
    'list',
    'watch',
  ]);
});

test('accounts are the service’s own: no rule for them holds outside its namespace', () => {
  const outside = [processAccess.apiserver, processAccess.operator].flatMap(
    ({ cluster, workspaces, workspaceNamespaces }) =>
      [...cluster, ...workspaces, ...workspaceNamespaces].flatMap((rule: AccessRule) => rule.resources),
  );
  const people = Object.values(peopleAccess).flatMap((rules) => rules.flatMap((rule) => rule.resources));
  const accounts = /^(workspaces|users|memberships|invitations|apikeys|idempotencyrecords)/;
  expect([...outside, ...people].filter((name) => accounts.test(name))).toEqual([]);
});

test('core secrets are within reach of the operator in workspaces alone', () => {
  expect(verbsOn(processAccess.operator.cluster, '', 'secrets')).toEqual([]);
  expect(verbsOn(processAccess.operator.workspaces, '', 'secrets')).toContain('create');
});

test('the operator never changes a sealed secret; networks it wakes, by a patch, and makes or ends none', () => {
  expect(verbsOn(rulesOf('operator'), 'slipway.dev', 'secrets')).toEqual(['get', 'list', 'watch', 'create']);
  expect(verbsOn(rulesOf('operator'), 'slipway.dev', 'networks')).toEqual(['get', 'list', 'watch', 'patch']);
});

test('people who view see no secrets; status is nobody’s to edit', () => {
  expect(verbsOn(peopleAccess.view, 'slipway.dev', 'secrets')).toEqual([]);
  expect(peopleAccess.edit.flatMap((rule) => rule.resources).filter((name) => name.includes('/'))).toEqual(
    [],
  );
});
