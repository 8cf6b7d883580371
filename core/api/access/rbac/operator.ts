import { core, type ProcessAccess, read, slipway } from './rule.ts';

/** Least privilege of the operator: it never changes a secret and never sees an API key. */
export const operatorAccess = {
  cluster: [
    {
      reason: 'networks are reconciled',
      groups: slipway,
      resources: ['networks'],
      verbs: read,
    },
    {
      reason: 'progress is reported in the status',
      groups: slipway,
      resources: ['networks/status'],
      verbs: ['get', 'patch'],
    },
    {
      reason: 'children have owner references to the network',
      groups: slipway,
      resources: ['networks/finalizers'],
      verbs: ['update'],
    },
    {
      reason: 'a token deployment wakes its networks, and a LayerZero network its members',
      groups: slipway,
      resources: ['networks'],
      verbs: ['patch'],
    },
    { reason: 'tokens are deployed', groups: slipway, resources: ['tokens'], verbs: read },
    {
      reason: 'progress is reported in the status',
      groups: slipway,
      resources: ['tokens/status'],
      verbs: ['patch'],
    },
    {
      reason: 'each step of deployments and message delivery is recorded',
      groups: slipway,
      resources: ['journals'],
      verbs: [...read, 'create', 'patch', 'delete'],
    },
    {
      reason: 'recordings are reconciled',
      groups: slipway,
      resources: ['recordings'],
      verbs: read,
    },
    {
      reason: 'progress is reported in the status',
      groups: slipway,
      resources: ['recordings/status'],
      verbs: ['patch'],
    },
    {
      reason: 'recorded data is stored in chunks',
      groups: slipway,
      resources: ['recordingchunks'],
      verbs: ['get', 'create', 'update', 'delete'],
    },
    {
      reason: 'transactions are resent until they are mined, then archived',
      groups: slipway,
      resources: ['outboxes'],
      verbs: [...read, 'create', 'update', 'delete'],
    },
    {
      reason: 'their progress is reported in the status',
      groups: slipway,
      resources: ['outboxes/status'],
      verbs: ['patch'],
    },
    {
      reason: 'addresses are derived from the secrets that networks refer to',
      groups: slipway,
      resources: ['secrets'],
      verbs: read,
    },
    {
      reason: 'the operator calls engines, for example to record blocks',
      groups: ['discovery.k8s.io'],
      resources: ['endpointslices'],
      verbs: read,
    },
    {
      reason: 'engines and their resources are watched',
      groups: core,
      resources: ['pods', 'services', 'configmaps', 'persistentvolumeclaims'],
      verbs: read,
    },
    {
      reason: 'workspaces are namespaces',
      groups: core,
      resources: ['namespaces'],
      verbs: [...read, 'create'],
    },
    {
      reason: 'a new namespace gets its network policies before anything can run in it',
      groups: ['networking.k8s.io'],
      resources: ['networkpolicies'],
      verbs: [...read, 'create', 'patch'],
    },
    {
      reason: 'and its budgets',
      groups: core,
      resources: ['resourcequotas', 'limitranges'],
      verbs: [...read, 'create', 'patch'],
    },
    {
      reason: 'the operator creates the role bindings of Slipway in namespaces that it creates',
      groups: ['rbac.authorization.k8s.io'],
      resources: ['rolebindings'],
      verbs: [...read, 'create', 'patch'],
    },
    {
      reason: 'the operator may bind only these roles',
      groups: ['rbac.authorization.k8s.io'],
      resources: ['clusterroles'],
      verbs: ['bind'],
      names: ['{workspace role}', '{workspace namespace role}', '{apiserver workspace role}'],
    },
    {
      reason: 'steps and failures are reported as Events',
      groups: core,
      resources: ['events'],
      verbs: ['create', 'patch'],
    },
  ],
  workspaces: [
    {
      reason: 'networks that expire are deleted',
      groups: slipway,
      resources: ['networks'],
      verbs: ['delete'],
    },
    {
      reason: 'engines run here',
      groups: core,
      resources: ['pods', 'services', 'configmaps', 'persistentvolumeclaims'],
      verbs: [...read, 'create', 'patch', 'delete'],
    },
    {
      reason:
        'engines get keys and the tokens of forks from Secrets, which the operator writes and never reads',
      groups: core,
      resources: ['secrets'],
      verbs: ['create', 'patch', 'delete'],
    },
    {
      reason: 'a restart is requested with an ephemeral container',
      groups: core,
      resources: ['pods/ephemeralcontainers'],
      verbs: ['patch'],
    },
    {
      reason: 'Jobs prepare engines',
      groups: ['batch'],
      resources: ['jobs'],
      verbs: [...read, 'create', 'patch', 'delete'],
    },
    {
      reason: 'network policies isolate engines',
      groups: ['networking.k8s.io'],
      resources: ['networkpolicies'],
      verbs: [...read, 'create', 'patch', 'delete'],
    },
    {
      reason: 'budgets that the installation no longer has are deleted',
      groups: core,
      resources: ['resourcequotas', 'limitranges'],
      verbs: ['delete'],
    },
    {
      reason: 'each account gets a default key, once',
      groups: slipway,
      resources: ['secrets'],
      verbs: ['create'],
    },
  ],
  workspaceNamespaces: [
    {
      reason: 'a namespace keeps its labels, and is deleted with its workspace',
      groups: core,
      resources: ['namespaces'],
      verbs: ['patch', 'delete'],
    },
    {
      reason: 'the operator deletes outdated role bindings',
      groups: ['rbac.authorization.k8s.io'],
      resources: ['rolebindings'],
      verbs: ['delete'],
    },
  ],
  own: [
    {
      reason: 'workspaces get their namespaces, and new accounts a workspace',
      groups: slipway,
      resources: ['workspaces'],
      verbs: [...read, 'create', 'patch'],
    },
    {
      reason: 'memberships of owners are created, those of deleted accounts removed',
      groups: slipway,
      resources: ['memberships'],
      verbs: [...read, 'create', 'delete'],
    },
    {
      reason: 'accounts get a workspace and a key',
      groups: slipway,
      resources: ['users'],
      verbs: read,
    },
    {
      reason: 'progress is reported in the status',
      groups: slipway,
      resources: ['workspaces/status', 'users/status'],
      verbs: ['patch'],
    },
    {
      reason: 'leader election',
      groups: ['coordination.k8s.io'],
      resources: ['leases'],
      verbs: [...read, 'create', 'update', 'patch'],
    },
  ],
} as const satisfies ProcessAccess;
