import { type AccessRule, peopleAccess, processAccess } from './rbac.ts';

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
  for (const forbidden of ['impersonate', 'escalate', 'bind']) expect(verbs).not.toContain(forbidden);
});

test('core secrets are within reach of the operator in workspaces alone', () => {
  expect(verbsOn(processAccess.operator.cluster, '', 'secrets')).toEqual([]);
  expect(verbsOn(processAccess.operator.workspaces, '', 'secrets')).toContain('create');
});

test('the operator never changes a sealed secret or the spec of a network', () => {
  expect(verbsOn(rulesOf('operator'), 'slipway.dev', 'secrets')).toEqual(['get', 'list', 'watch']);
  expect(verbsOn(rulesOf('operator'), 'slipway.dev', 'networks')).toEqual(['get', 'list', 'watch']);
});

test('people who view see no secrets; status is nobody’s to edit', () => {
  expect(verbsOn(peopleAccess.view, 'slipway.dev', 'secrets')).toEqual([]);
  expect(peopleAccess.edit.flatMap((rule) => rule.resources).filter((name) => name.includes('/'))).toEqual(
    [],
  );
});
