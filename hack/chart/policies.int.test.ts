import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { decide } from '../../operator/network/decide/decide.ts';
import { aNetwork, factsOf } from '../../operator/network/testing/facts.ts';
import { begun, facts as networkFacts, participants } from '../../operator/network/testing/participants.ts';
import { run, tryRun } from '../lib/run.ts';
import { waitUntil } from '../lib/wait.ts';
import { startTestEnvironment, type TestEnvironment } from '../testenv/environment.ts';
import { crdFiles } from '../testenv/globalSetup.ts';
import { ensureTools } from '../tools/ensure.ts';
import { helmSkipReason, type Manifest, renderChart } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;
const rbacKinds = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];
const policyKinds = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];

/** The users. `ted` may do everything in his own namespaces; `nan` may manage namespaces; `root` the whole cluster. */
const people = {
  root: ['--as=root', '--as-group=system:masters'],
  ted: ['--as=ted'],
  nan: ['--as=nan'],
  operator: ['--as=system:serviceaccount:slipway-system:slipway-operator'],
  apiserver: ['--as=system:serviceaccount:slipway-system:slipway-apiserver'],
};
type Person = keyof typeof people;

const enforced = (level: string) => ({ 'pod-security.kubernetes.io/enforce': level });
const made = { 'slipway.dev/workspace': 'one', 'slipway.dev/workspace-namespace': 'one' };
const rbac = 'rbac.authorization.k8s.io';

const namespaceOf = (name: string, labels: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
});
const ownOf = (kind: string, namespace: string, { name = 'new', labels = {}, spec = {} } = {}) => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind,
  metadata: { name, namespace, labels },
  spec,
});
const networkIn = (namespace: string, labels = {}) =>
  ownOf('Network', namespace, {
    labels,
    spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' } } } },
  });
const secretIn = (namespace: string, options: { name?: string; labels?: object } = {}) =>
  ownOf('Secret', namespace, { ...options, spec: { type: 'note', data: 'YQ==' } });
const anId = '6f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7';
const idLabel = (id: string) => ({ 'slipway.dev/id': id });
const userIn = (namespace: string) => ownOf('User', namespace, { spec: { name: 'New' } });
const bindingIn = (namespace: string, role: string, subject: object) => ({
  apiVersion: `${rbac}/v1`,
  kind: 'RoleBinding',
  metadata: { name: `${role}-test`, namespace },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  subjects: [subject],
});
const operatorIn = (namespace: string) =>
  bindingIn(namespace, 'slipway-operator-workspace.slipway-system', {
    kind: 'ServiceAccount',
    name: 'slipway-operator',
    namespace: 'slipway-system',
  });
const denyAllIn = (namespace: string) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'deny', namespace },
  spec: { podSelector: {}, policyTypes: ['Ingress'] },
});
const confined = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
};
/** A pod as the operator renders it, with changes to its spec and its container. */
const engineIn = (namespace: string, spec: object = {}, container: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'engine', namespace, labels: { 'slipway.dev/network': anId } },
  spec: {
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [{ name: 'engine', image: 'engine', securityContext: confined, ...container }],
    ...spec,
  },
});
const serviceIn = (namespace: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'engine', namespace, labels: { 'slipway.dev/network': anId } },
  spec: { ports: [{ port: 8545 }], ...spec },
});
/** Labelled and owned as the Services of networks are, by which the gateway finds an engine. */
const ownedServiceIn = (
  namespace: string,
  { name = 'owned', port = 8545, labels = {}, owned = true } = {},
) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name,
    namespace,
    labels: { 'slipway.dev/network': anId, ...labels },
    ...(owned
      ? { ownerReferences: [{ apiVersion: 'slipway.dev/v1alpha1', kind: 'Network', name: 'one', uid: anId }] }
      : {}),
  },
  spec: { clusterIP: 'None', selector: { a: 'b' }, ports: [{ port }] },
});
const selected = { 'slipway.dev/incarnation': 'one-1' };
const podIn = (namespace: string, labels: object) => ({
  ...engineIn(namespace),
  metadata: { name: 'engine', namespace, labels },
});
const budgetIn = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'budget', namespace },
  spec: { hard: { pods: '0' } },
});
const rangeIn = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'range', namespace },
  spec: { limits: [{ type: 'Container', default: { memory: '1Mi' } }] },
});
const eventIn = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'event', namespace },
  involvedObject: { kind: 'Pod', name: 'pod', namespace },
});
const coreSecretIn = (
  namespace: string,
  type: string,
  more: { annotations?: object; data?: object } = {},
) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type,
  data: more.data ?? {},
  metadata: { name: 'new', namespace, annotations: more.annotations ?? {} },
});
const claimIn = (namespace: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'claim', namespace },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const storageClass = (name: string, annotations: object = {}) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name, annotations },
  provisioner: 'example.com/volumes',
});
const dockerConfig = { '.dockerconfigjson': Buffer.from('{"auths":{}}').toString('base64') };
const person = (name: Person) => ({ kind: 'User', name, apiGroup: rbac });

suite(`chart admission policies${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  let environment: TestEnvironment;
  let kubectl: string;

  const apply = (objects: object[], ...flags: string[]) =>
    run(kubectl, ['apply', '--server-side', '--force-conflicts', ...flags, '-f', '-'], {
      env: { KUBECONFIG: environment.kubeconfig },
      input: objects.map((object) => stringify(object)).join('---\n'),
    });
  /** The outcome of a write that is checked like any other and never stored. Empty when it would be stored. */
  const refusal = async (who: Person, verb: 'create' | 'replace', object: object): Promise<string> => {
    const args = [verb, '--dry-run=server', ...people[who], '-f', '-'];
    const options = { env: { KUBECONFIG: environment.kubeconfig }, input: stringify(object) };
    const { code, output } = await tryRun(kubectl, args, options);
    return code === 0 ? '' : output;
  };

  beforeAll(async () => {
    ({ kubectl } = await ensureTools(['kubectl']));
    environment = await startTestEnvironment({ crdFiles: crdFiles() });
    const manifests = await renderChart();
    const of = (kinds: string[]) => manifests.filter(({ kind }: Manifest) => kinds.includes(kind));
    const rights = (name: string, rules: object[]) => ({
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name },
      rules,
    });
    const everything = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
    await apply([
      namespaceOf('slipway-system'),
      ...of(['Namespace']),
      namespaceOf('slipway-one', made),
      namespaceOf('bystander'),
      rights('all-in-a-namespace', [everything]),
      rights('namespaces', [{ apiGroups: [''], resources: ['namespaces'], verbs: ['*'] }]),
      ...['slipway-one', 'slipway-default', 'bystander'].map((namespace) =>
        bindingIn(namespace, 'all-in-a-namespace', person('ted')),
      ),
      {
        ...bindingIn('', 'namespaces', person('nan')),
        kind: 'ClusterRoleBinding',
        metadata: { name: 'nan' },
      },
      ...of(rbacKinds),
      // As the operator binds itself.
      { ...operatorIn('slipway-one'), metadata: { name: 'operator', namespace: 'slipway-one' } },
      // Stored before the policies exist, as from an earlier version.
      secretIn('slipway-one', { name: 'owned', labels: { 'slipway.dev/owner': 'ann' } }),
      secretIn('slipway-one', { name: 'free' }),
      secretIn('slipway-one', { name: 'known', labels: idLabel(anId) }),
      storageClass('standard', { 'storageclass.kubernetes.io/is-default-class': 'true' }),
      storageClass('local'),
      ownedServiceIn('slipway-one'),
      ownedServiceIn('slipway-one', { name: 'own', owned: false }),
    ]);
    await apply(of(policyKinds));
    // A new policy takes effect after a moment.
    await waitUntil(
      async () => (await refusal('root', 'create', networkIn('bystander'))).includes('workspace'),
      30_000,
      'the policies did not take effect',
    );
  });
  afterAll(() => environment?.stop());

  const volume = (source: object) => ({ volumes: [{ name: 'data', ...source }] });
  const projectedToken = { projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } };
  const claimOf = (storageClassName: string) => claimIn('slipway-one', { storageClassName });
  const within = (more: object) => ({ securityContext: { ...confined, ...more } });
  const owner = (name: string) => ({ 'slipway.dev/owner': name });
  const cases: [string, Person, 'create' | 'replace', object, RegExp | undefined][] = [
    ['a network in a workspace', 'ted', 'create', networkIn('slipway-one'), undefined],
    ['a network in the default workspace', 'ted', 'create', networkIn('slipway-default'), undefined],
    [
      'a network elsewhere, even by a cluster administrator',
      ...(['root', 'create', networkIn('bystander')] as const),
      /namespace bystander does not belong to a workspace of Slipway.*kubectl get namespaces -l slipway.dev\/workspace/s,
    ],
    ['a secret elsewhere', 'ted', 'create', secretIn('bystander'), /does not belong to a workspace/],
    ['an account in the namespace of the service', 'root', 'create', userIn('slipway-system'), undefined],
    ['an account elsewhere', 'ted', 'create', userIn('slipway-one'), /in the namespace slipway-system only/],

    ['a namespace without our labels', 'nan', 'create', namespaceOf('new'), undefined],
    [
      'a namespace of a workspace',
      ...(['operator', 'create', namespaceOf('new', { ...made, ...enforced('restricted') })] as const),
      undefined,
    ],
    [
      'a namespace of a workspace, by whoever installs the chart',
      ...(['root', 'create', namespaceOf('new', made)] as const),
      undefined,
    ],
    [
      'a namespace that claims to be of a workspace',
      ...(['nan', 'create', namespaceOf('new', made)] as const),
      /slipway.dev\/workspace.* only Slipway's operator and administrators/,
    ],
    [
      'an empty label that claims the same',
      ...(['nan', 'create', namespaceOf('new', { 'slipway.dev/workspace-namespace': '' })] as const),
      /slipway.dev\/workspace-namespace/,
    ],
    [
      'an existing namespace that is relabelled',
      ...(['nan', 'replace', namespaceOf('bystander', made)] as const),
      /only Slipway's operator/,
    ],
    [
      "a workspace's namespace that loses its labels",
      ...(['nan', 'replace', namespaceOf('slipway-one')] as const),
      /only Slipway's operator/,
    ],
    [
      'another label of a namespace of a workspace',
      ...(['nan', 'replace', namespaceOf('slipway-one', { ...made, team: 'a' })] as const),
      undefined,
    ],

    [
      'a secret with its owner',
      'apiserver',
      'create',
      secretIn('slipway-one', { labels: owner('ann') }),
      undefined,
    ],
    [
      'a restored secret with its owner, by an administrator',
      ...(['root', 'create', secretIn('slipway-one', { labels: owner('ann') })] as const),
      undefined,
    ],
    [
      'a new secret for somebody else',
      ...(['ted', 'create', secretIn('slipway-one', { labels: owner('ann') })] as const),
      /slipway.dev\/owner says who owns this object/,
    ],
    [
      "somebody else's secret that is taken over",
      ...(['ted', 'replace', secretIn('slipway-one', { name: 'owned', labels: owner('ted') })] as const),
      /slipway.dev\/owner/,
    ],
    [
      'a secret whose owner is removed',
      ...(['ted', 'replace', secretIn('slipway-one', { name: 'owned' })] as const),
      /slipway.dev\/owner/,
    ],
    [
      'a secret without an owner that is taken over',
      ...(['ted', 'replace', secretIn('slipway-one', { name: 'free', labels: owner('ted') })] as const),
      /slipway.dev\/owner/,
    ],
    [
      'another label of an owned secret',
      ...([
        'ted',
        'replace',
        secretIn('slipway-one', { name: 'owned', labels: { ...owner('ann'), a: 'b' } }),
      ] as const),
      undefined,
    ],
    [
      'a network of somebody else',
      ...(['ted', 'create', networkIn('slipway-one', owner('ann'))] as const),
      /slipway.dev\/owner/,
    ],
    [
      'a network of another workspace',
      ...(['ted', 'create', networkIn('slipway-one', { 'slipway.dev/workspace': 'two' })] as const),
      /slipway.dev\/workspace/,
    ],

    [
      'an object with an id of its own',
      ...(['ted', 'create', secretIn('slipway-one', { labels: idLabel(anId) })] as const),
      undefined,
    ],
    [
      'an id that is not a UUID',
      ...(['ted', 'create', secretIn('slipway-one', { labels: idLabel('mine') })] as const),
      /slipway.dev\/id is not a UUID in lower case/,
    ],
    [
      'another id of an object, even by a cluster administrator',
      ...([
        'root',
        'replace',
        secretIn('slipway-one', { name: 'known', labels: idLabel(anId.replace('6', '7')) }),
      ] as const),
      /stays as it is: keep "6f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7" in the manifest/,
    ],
    [
      'an object that loses its id',
      ...(['ted', 'replace', secretIn('slipway-one', { name: 'known' })] as const),
      /stays as it is: keep "6f1d2c3b/,
    ],
    [
      'an id for an object that is there already',
      ...(['ted', 'replace', secretIn('slipway-one', { name: 'free', labels: idLabel(anId) })] as const),
      /stays as it is: leave it out, and it gets its uid/,
    ],

    [
      'the operator in a namespace that it created',
      'operator',
      'create',
      operatorIn('slipway-one'),
      undefined,
    ],
    [
      'the operator in kube-system',
      ...(['operator', 'create', operatorIn('kube-system')] as const),
      /only in namespaces that it created/,
    ],
    [
      'the operator in its own namespace',
      ...(['operator', 'create', operatorIn('slipway-system')] as const),
      /only in namespaces that it created/,
    ],
    ['a network policy in a workspace', 'operator', 'create', denyAllIn('slipway-one'), undefined],
    [
      'a network policy that cuts off kube-system',
      ...(['operator', 'create', denyAllIn('kube-system')] as const),
      /only in namespaces that it created/,
    ],
    ...[budgetIn, rangeIn, eventIn].flatMap((make): typeof cases => {
      const { kind } = make('');
      return [
        [`a ${kind} in a workspace`, 'operator', 'create', make('slipway-one'), undefined],
        [`a ${kind} in the default workspace`, 'operator', 'create', make('slipway-default'), undefined],
        [
          `a ${kind} in kube-system`,
          'operator',
          'create',
          make('kube-system'),
          /only in namespaces of workspaces/,
        ],
        [`somebody else's ${kind}`, 'ted', 'create', make('bystander'), undefined],
      ];
    }),
    [
      'an Event of a workspace, beside the service',
      'operator',
      'create',
      eventIn('slipway-system'),
      undefined,
    ],
    [
      'a budget of the service',
      ...(['operator', 'create', budgetIn('slipway-system')] as const),
      /only in namespaces of workspaces/,
    ],
    ['a Secret of a network', 'operator', 'create', coreSecretIn('slipway-one', 'Opaque'), undefined],
    [
      'a pull secret',
      'operator',
      'create',
      coreSecretIn('slipway-one', 'kubernetes.io/dockerconfigjson', { data: dockerConfig }),
      undefined,
    ],
    [
      "a Secret that gets a service account's token",
      'operator',
      'create',
      coreSecretIn('slipway-one', 'kubernetes.io/service-account-token', {
        annotations: { 'kubernetes.io/service-account.name': 'default' },
      }),
      /no service account's token/,
    ],
    ['a claim', 'operator', 'create', claimIn('slipway-one'), undefined],
    [
      "a claim of somebody else's volume",
      ...(['operator', 'create', claimIn('slipway-one', { volumeName: 'theirs' })] as const),
      /get new volumes/,
    ],
    ['a claim of the default class', 'operator', 'create', claimOf('standard'), undefined],
    ["somebody else's claim of a volume that is there", 'ted', 'create', claimOf(''), undefined],
    ['a claim without a class', 'operator', 'create', claimOf(''), /of the cluster's default StorageClass/],
    [
      'a claim of another class',
      'operator',
      'create',
      claimOf('local'),
      /of the cluster's default StorageClass/,
    ],
    ['a claim of no class that is there', 'operator', 'create', claimOf('manual'), /default StorageClass/],
    ...[
      { selector: { matchLabels: { of: 'ted' } } },
      { dataSource: { kind: 'PersistentVolumeClaim', name: 'theirs' } },
      { dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'theirs' } },
    ].map((spec): (typeof cases)[number] => {
      const [member] = Object.keys(spec);
      return [
        `a claim with a ${member}`,
        'operator',
        'create',
        claimIn('slipway-one', spec),
        /get new volumes/,
      ];
    }),
    ['an engine', 'operator', 'create', engineIn('slipway-one'), undefined],
    ['a Service of a network', 'operator', 'create', serviceIn('slipway-one'), undefined],
    [
      'a Service that somebody else gives a network',
      ...(['ted', 'create', ownedServiceIn('slipway-one', { name: 'new' })] as const),
      /leads to the engine of a network: only Slipway's operator/,
    ],
    [
      'a Service that is given to a network later',
      ...(['ted', 'replace', ownedServiceIn('slipway-one', { name: 'own' })] as const),
      /leads to the engine of a network/,
    ],
    [
      'another port of a Service of a network',
      ...(['ted', 'replace', ownedServiceIn('slipway-one', { port: 9999 })] as const),
      /leads to the engine of a network/,
    ],
    [
      'a new Service of a network',
      ...(['operator', 'create', ownedServiceIn('slipway-one', { name: 'new' })] as const),
      undefined,
    ],
    [
      'another port by an administrator, as when a backup is restored',
      ...(['root', 'replace', ownedServiceIn('slipway-one', { port: 9999 })] as const),
      undefined,
    ],
    [
      'another label of a Service of a network',
      ...(['ted', 'replace', ownedServiceIn('slipway-one', { labels: { team: 'a' } })] as const),
      undefined,
    ],
    [
      'a Service that is no longer that of a network, as when a network is deleted without its children',
      ...(['ted', 'replace', ownedServiceIn('slipway-one', { owned: false })] as const),
      undefined,
    ],
    [
      "another port of somebody's own Service",
      ...(['ted', 'replace', ownedServiceIn('slipway-one', { name: 'own', owned: false, port: 1 })] as const),
      undefined,
    ],
    ["somebody's own pod", 'ted', 'create', podIn('slipway-one', { 'slipway.dev/network': anId }), undefined],
    [
      'a pod that the Services of a network select',
      ...(['ted', 'create', podIn('slipway-one', selected)] as const),
      /slipway.dev\/incarnation .*only Slipway's operator/,
    ],
    [
      'the same by the operator',
      'operator',
      'create',
      podIn('slipway-one', { ...selected, 'slipway.dev/network': anId }),
      undefined,
    ],
    ...(
      [
        ['in the network of its node', { hostNetwork: true }, {}, /nothing of their node/],
        ['with the processes of its node', { hostPID: true }, {}, /nothing of their node/],
        ['with a token', { automountServiceAccountToken: true }, {}, /no service account's token/],
        ['with another service account', { serviceAccountName: 'admin' }, {}, /service account/],
        ['on a node of its choice', { nodeName: 'control-plane' }, {}, /the scheduler places them/],
        [
          'before which others make way',
          { priorityClassName: 'system-node-critical' },
          {},
          /no pods of the cluster make way/,
        ],
        ['as root', { securityContext: {} }, {}, /no root user/],
        ['with files of its node', volume({ hostPath: { path: '/' } }), {}, /volumes of networks' pods are/],
        [
          'with a projected token',
          { ...volume(projectedToken), serviceAccountName: 'default' },
          {},
          /volumes of networks' pods are/,
        ],
        [
          'that is privileged',
          {},
          within({ privileged: true, allowPrivilegeEscalation: true }),
          /cannot gain privileges/,
        ],
        [
          'with a capability',
          {},
          within({ capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } }),
          /drop all/,
        ],
        ['with a root container', {}, within({ runAsUser: 0 }), /cannot gain privileges/],
        ['with a container that may be root', {}, within({ runAsNonRoot: false }), /cannot gain privileges/],
        ['without seccomp', {}, within({ seccompProfile: { type: 'Unconfined' } }), /cannot gain privileges/],
        [
          'on a port of its node',
          {},
          { ports: [{ containerPort: 80, hostPort: 80 }] },
          /no port of their node/,
        ],
      ] as const
    ).map(([what, spec, container, reason]): (typeof cases)[number] => [
      `an engine ${what}`,
      'operator',
      'create',
      engineIn('slipway-one', spec, container),
      reason,
    ]),
    [
      'a Service that opens a port of every node',
      ...(['operator', 'create', serviceIn('slipway-one', { type: 'NodePort' })] as const),
      /inside the cluster only/,
    ],
    [
      'a Service that takes an address',
      ...(['operator', 'create', serviceIn('slipway-one', { externalIPs: ['192.0.2.1'] })] as const),
      /inside the cluster only/,
    ],
    [
      'a binding of the operator for somebody else',
      ...(['operator', 'create', { ...operatorIn('slipway-one'), subjects: [person('nan')] }] as const),
      /binds nobody but Slipway's own/,
    ],
    [
      'a namespace of a workspace in which everything may run',
      ...(['operator', 'create', namespaceOf('new', { ...made, ...enforced('privileged') })] as const),
      /the Pod Security Standard of the chart, restricted/,
    ],
    ["somebody else's network policy", 'ted', 'create', denyAllIn('bystander'), undefined],
    ["somebody else's binding", 'ted', 'create', bindingIn('bystander', 'view', person('nan')), undefined],
  ];

  const patchedBy = async (who: Person, name: string, patch: object): Promise<string> => {
    const place = ['-n', 'slipway-one', 'secrets.slipway.dev', name];
    const args = [
      'patch',
      ...place,
      '--type=merge',
      '--dry-run=server',
      ...people[who],
      '-p',
      JSON.stringify(patch),
    ];
    const { code, output } = await tryRun(kubectl, args, { env: { KUBECONFIG: environment.kubeconfig } });
    return code === 0 ? '' : output;
  };

  it('lets the operator give an object its uid as id, and change nothing else of it', async () => {
    const read = [
      'get',
      '-n',
      'slipway-one',
      'secrets.slipway.dev',
      'free',
      '-o',
      'jsonpath={.metadata.uid}',
    ];
    const uid = await run(kubectl, read, { env: { KUBECONFIG: environment.kubeconfig } });
    const labelled = (id: string) => ({ metadata: { labels: idLabel(id) } });
    expect(await patchedBy('operator', 'free', labelled(uid.trim()))).toBe('');
    expect(await patchedBy('operator', 'free', labelled(anId))).toMatch(/stays as it is/);
    expect(await patchedBy('operator', 'free', { spec: { data: 'Yg==' } })).toMatch(/changes no spec/);
    for (const metadata of [
      { labels: { 'slipway.dev/owner': 'ted' } },
      { annotations: { a: 'b' } },
      { finalizers: ['a/b'] },
    ])
      expect(await patchedBy('operator', 'owned', { metadata })).toMatch(/nothing of this object but its id/);
  });

  it.each(cases)('%s: %s, %s', async (_what, who, verb, object, reason) => {
    const said = await refusal(who, verb, object);
    if (reason) expect(said).toMatch(reason);
    else expect(said).toBe('');
  });

  const persistent = (network: ReturnType<typeof aNetwork>) => ({
    ...network,
    spec: { ...network.spec, persistent: true },
  });
  const fork = aNetwork({ forking: { enabled: true, blockHeight: '5' } });
  it.each<[string, string, ReturnType<typeof decide>]>([
    ['a network', 'Service', decide(factsOf(aNetwork()))],
    ['a persistent network', 'PersistentVolumeClaim', decide(factsOf(persistent(aNetwork())))],
    ['a fork', 'Secret', decide(factsOf(fork, { forkSource: 'https://node.example' }))],
    ['a network with participants', 'Secret', decide(networkFacts(begun()))],
    ['persistent participants', 'PersistentVolumeClaim', decide(networkFacts(persistent(begun())))],
    ['a network that prepares its images', 'Pod', decide(networkFacts(aNetwork({ participants })))],
  ])('let the operator make all objects of %s, a %s among them', async (_what, kind, { children = [] }) => {
    expect(children.map((child) => child.kind)).toEqual(expect.arrayContaining(['Pod', kind]));
    const text = JSON.stringify(children).replaceAll('"namespace":"ws"', '"namespace":"slipway-one"');
    const list = { apiVersion: 'v1', kind: 'List', items: JSON.parse(text) };
    expect(await refusal('operator', 'create', list)).toBe('');
  });

  describe('in a workspace whose budget is used up', () => {
    const said = 'the workspace stores 256 MiB, and this would exceed its budget. Remedy: delete recordings';
    const report = (refusal: string | null) =>
      run(
        kubectl,
        [
          ...['patch', '-n', 'slipway-one', 'usagerecords.slipway.dev', 'usage', '--subresource=status'],
          ...['--type=merge', '-p', JSON.stringify({ status: { refusal } })],
        ],
        { env: { KUBECONFIG: environment.kubeconfig } },
      );
    const note = (name: string, data: string, annotations = {}) => {
      const secret = secretIn('slipway-one', { name });
      return { ...secret, metadata: { ...secret.metadata, annotations }, spec: { type: 'note', data } };
    };
    const network = networkIn('slipway-one');
    const full = new RegExp(said);

    beforeAll(async () => {
      await apply([ownOf('UsageRecord', 'slipway-one', { name: 'usage', spec: { days: [] } })]);
      await apply([note('full', 'YWJj', { a: 'long' })]);
      expect(await refusal('ted', 'create', network)).toBe('');
      await report(said);
      await waitUntil(
        async () => (await refusal('ted', 'create', network)) !== '',
        30_000,
        'the policy did not take effect',
      );
    });
    afterAll(() => report(null));

    it.each<[string, Person, 'create' | 'replace', object, RegExp | undefined]>([
      ['a network', 'ted', 'create', network, full],
      ['a secret, by a cluster administrator', 'root', 'create', secretIn('slipway-one'), full],
      ['a secret with more data', 'ted', 'replace', note('full', 'YWJjZA==', { a: 'long' }), full],
      ['a longer annotation', 'ted', 'replace', note('full', 'YWJj', { a: 'longer' }), full],
      ['another annotation', 'ted', 'replace', note('full', 'YWJj', { a: 'long', b: 'x' }), full],
      ['other data of the same length', 'ted', 'replace', note('full', 'YWJk', { a: 'long' }), undefined],
      ['less', 'ted', 'replace', note('full', 'YQ=='), undefined],
      ['what REST accepts', 'apiserver', 'create', secretIn('slipway-one'), undefined],
      ['a network elsewhere', 'ted', 'create', networkIn('slipway-default'), undefined],
    ])('without room, %s: %s, %s', async (_what, who, verb, object, reason) => {
      const answer = await refusal(who, verb, object);
      if (reason) expect(answer).toMatch(reason);
      else expect(answer).toBe('');
    });

    it('everything can be deleted', async () => {
      const args = [
        'delete',
        '-n',
        'slipway-one',
        'secrets.slipway.dev',
        'full',
        '--dry-run=server',
        ...people.ted,
      ];
      await run(kubectl, args, { env: { KUBECONFIG: environment.kubeconfig } });
    });
  });

  it('have expressions that kube-apiserver finds nothing to warn of', async () => {
    const env = { KUBECONFIG: environment.kubeconfig };
    const json = await run(kubectl, ['get', 'validatingadmissionpolicies', '-o', 'json'], { env });
    const { items } = JSON.parse(json) as { items: Manifest[] };
    expect(items).toHaveLength(10);
    expect(items.flatMap(({ status }) => status?.typeChecking?.expressionWarnings ?? [])).toEqual([]);
  });

  it('place every kind of Slipway', async () => {
    const plurals = crdFiles().map((file) => parse(readFileSync(file, 'utf8')).spec.names.plural);
    const placed = (await renderChart()).find(
      ({ kind, metadata }) => kind === policyKinds[0] && metadata.name.includes('-placement.'),
    );
    expect(placed?.spec.matchConstraints.resourceRules[0].resources.sort()).toEqual(plurals.sort());
  });

  describe('with a class in storage.className', () => {
    const policiesOf = async (values: object) =>
      (await renderChart(values)).filter(({ kind }: Manifest) => policyKinds.includes(kind));

    beforeAll(async () => {
      const [before, after] = await Promise.all([
        policiesOf({}),
        policiesOf({ storage: { className: 'local' } }),
      ]);
      const names = new Set(after.map(({ metadata }) => metadata.name));
      const gone = before.filter(({ metadata }) => !names.has(metadata.name));
      expect(gone.map(({ kind }) => kind).sort()).toEqual(policyKinds);
      await apply(after);
      const env = { KUBECONFIG: environment.kubeconfig };
      for (const { kind, metadata } of gone) await run(kubectl, ['delete', kind, metadata.name], { env });
      await waitUntil(
        async () => (await refusal('operator', 'create', claimOf('local'))) === '',
        30_000,
        'the policies did not take effect',
      );
    });

    it.each(['standard', 'manual', ''])('the operator makes no claim of the class "%s"', async (name) => {
      expect(await refusal('operator', 'create', claimOf(name))).toMatch(/of the StorageClass local/);
    });
  });
});
