import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { helmSkipReason, type Manifest, renderChart } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;

interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
  resourceNames?: string[];
}

/** Rights that may lead out of what an account is for, by what they are rights to. */
const ways: Record<string, { resources: RegExp; verbs: RegExp }> = {
  'runs programs': {
    resources:
      /^(pods|pods\/(exec|attach|ephemeralcontainers)|replicationcontrollers|deployments|statefulsets|daemonsets|replicasets|jobs|cronjobs|\*)$/,
    verbs: /^(create|update|patch|\*)$/,
  },
  'reads Secrets': { resources: /^(secrets|\*)$/, verbs: /^(get|list|watch|patch|update|\*)$/ },
  'makes Secrets': { resources: /^(secrets|\*)$/, verbs: /^(create|\*)$/ },
  'grants rights': {
    resources: /^(clusterroles|clusterrolebindings|roles|rolebindings|\*)$/,
    verbs: /^(create|update|patch|bind|escalate|\*)$/,
  },
  'acts as others': {
    resources:
      /^(users|groups|serviceaccounts|serviceaccounts\/token|certificatesigningrequests.*|signers|\*)$/,
    verbs: /^(impersonate|create|update|patch|approve|sign|\*)$/,
  },
  'changes what kube-apiserver asks': {
    resources:
      /^(.*webhookconfigurations|validatingadmissionpolic.*|mutatingadmissionpolic.*|customresourcedefinitions|apiservices|\*)$/,
    verbs: /^(create|update|patch|delete|\*)$/,
  },
  'changes namespaces and nodes': {
    resources: /^(namespaces|nodes|nodes\/.*|persistentvolumes|\*)$/,
    verbs: /^(create|update|patch|delete|\*)$/,
  },
};

/** Reviewed in docs/security.md, where each stands with what holds it. */
const reviewed: Record<string, string[]> = {
  'slipway-apiserver': [],
  'slipway-compilers': [],
  'slipway-forks': [],
  'slipway-keys': [
    'makes Secrets: in its namespace',
    'reads Secrets: in its namespace, slipway-bootstrap slipway-keys',
  ],
  'slipway-operator': [
    'changes namespaces and nodes: everywhere',
    'changes namespaces and nodes: in workspaces',
    'grants rights: everywhere',
    'grants rights: everywhere, slipway-apiserver-workspace.slipway-system slipway-operator-home.slipway-system slipway-operator-workspace.slipway-system',
    'makes Secrets: in workspaces',
    'reads Secrets: in workspaces',
    'runs programs: in workspaces',
  ],
  'slipway-purge': [],
  'slipway-reseal': [],
  'slipway-webhook': [],
};

suite(`service accounts of the chart${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  let manifests: Manifest[];
  const ofKind = (...kinds: string[]) => manifests.filter(({ kind }) => kinds.includes(kind));
  beforeAll(async () => {
    const forks = { ownSources: { allowedHosts: ['node.example'] } };
    manifests = await renderChart({ crds: { keep: false }, keys: { reseal: true }, forks });
  });

  const isOf = (account: string, subjects: { kind: string; name: string }[] = []) =>
    subjects.some(({ kind, name }) => kind === 'ServiceAccount' && name === account);
  const isHome = ({ metadata }: Manifest) => metadata.name.includes('-operator-home.');

  /** Every rule of an account, with where it applies. The operator binds one role itself, in the namespaces that it creates. */
  const rulesOf = (account: string): { where: string; rule: Rule }[] => {
    const bound = ofKind('ClusterRoleBinding', 'RoleBinding').filter(({ subjects }) =>
      isOf(account, subjects),
    );
    const roles = bound.flatMap(({ kind, metadata, roleRef }) => {
      const role = ofKind(roleRef.kind).find((one) => one.metadata.name === roleRef.name);
      if (!role) throw new Error(`the role ${roleRef.name} is not in the chart`);
      const place = metadata.namespace === 'slipway-system' ? 'in its namespace' : 'in workspaces';
      return [{ where: kind === 'ClusterRoleBinding' ? 'everywhere' : place, role }];
    });
    const home = account.endsWith('-operator') ? ofKind('ClusterRole').filter(isHome) : [];
    return [...roles, ...home.map((role) => ({ where: 'in workspaces', role }))].flatMap(({ where, role }) =>
      role.rules.map((rule: Rule) => ({ where, rule })),
    );
  };

  const waysOut = (account: string): string[] => {
    const found = rulesOf(account).flatMap(({ where, rule }) =>
      Object.entries(ways).flatMap(([way, { resources, verbs }]) => {
        const isOurs = rule.apiGroups.every((group) => group === 'slipway.dev');
        const isWay =
          rule.resources.some((one) => resources.test(one)) && rule.verbs.some((one) => verbs.test(one));
        const names = rule.resourceNames ? `, ${[...rule.resourceNames].sort().join(' ')}` : '';
        return isWay && !isOurs ? [`${way}: ${where}${names}`] : [];
      }),
    );
    return [...new Set(found)].sort();
  };

  it('have no right that leads further than docs/security.md says', () => {
    const accounts = ofKind('ServiceAccount').map(({ metadata }) => metadata.name);
    expect(Object.fromEntries(accounts.map((name) => [name, waysOut(name)]))).toEqual(reviewed);
  });

  it('are all that pods and bindings name', () => {
    const accounts = ofKind('ServiceAccount').map(({ metadata }) => metadata.name);
    const used = ofKind('Deployment', 'Job', 'Pod').map(({ kind, spec }) =>
      kind === 'Pod' ? spec : spec.template.spec,
    );
    const named = used.flatMap(({ serviceAccountName }) => serviceAccountName ?? []);
    const subjects = ofKind('ClusterRoleBinding', 'RoleBinding').flatMap(({ subjects: all }) => all);
    expect([...new Set(named)].sort()).toEqual(accounts.sort());
    expect(subjects.filter(({ kind }) => kind !== 'ServiceAccount')).toEqual([]);
    expect(accounts).toEqual(expect.arrayContaining(subjects.map(({ name }) => name)));
  });

  it('whose pods have no rights have no token either', () => {
    for (const name of ['slipway-compilers', 'slipway-forks', 'slipway-webhook']) {
      const account = ofKind('ServiceAccount').find(({ metadata }) => metadata.name === name);
      expect([rulesOf(name), account?.automountServiceAccountToken]).toEqual([[], false]);
    }
  });

  it('each have a row in docs/security.md', () => {
    const rows = rowsOf('Service accounts').map(([account = '']) => /^`([\w-]+)`/.exec(account)?.[1]);
    expect(rows.sort()).toEqual(Object.keys(reviewed).sort());
  });
});

describe('docs/security.md', () => {
  it('says of everybody who was considered what they reach, what holds them, and which test shows it', () => {
    const rows = rowsOf('Who can do what');
    const considered = rows.map(([who = '']) => who).join('\n');
    for (const who of [
      'anyone who reaches the service',
      'holder of a public URL',
      'viewer',
      'developer',
      'admin',
      'owner of many workspaces',
      'administrator:',
      "the operator's token",
      "the API server's token",
      'fork proxy',
      'compiler',
      'admission webhook',
      'builder',
      'a pod of another namespace',
      "an engine's own process",
    ])
      expect(considered).toContain(who);
    for (const [who = '', reached, held, shown = ''] of rows) {
      const tests = [...shown.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = '']) => path);
      const missing = tests.filter((path) => !existsSync(join(projectRoot, path)));
      expect({ who, isSaid: Boolean(reached && held), hasTests: tests.length > 0, missing }).toEqual({
        who,
        isSaid: true,
        hasTests: true,
        missing: [],
      });
    }
  });
});

/** The cells of each row of the table under a heading of docs/security.md. */
function rowsOf(heading: string): string[][] {
  const text = readFileSync(join(projectRoot, 'docs', 'security.md'), 'utf8');
  const section = text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split(' |')
      .map((cell) => cell.trim()),
  );
}
