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
      reason: 'progress is told in the status',
      groups: slipway,
      resources: ['networks/status'],
      verbs: ['get', 'patch'],
    },
    {
      reason: 'children name the network as their owner',
      groups: slipway,
      resources: ['networks/finalizers'],
      verbs: ['update'],
    },
    {
      reason: 'a token that is to be deployed wakes its networks, as a LayerZero network does its members',
      groups: slipway,
      resources: ['networks'],
      verbs: ['patch'],
    },
    { reason: 'tokens are deployed', groups: slipway, resources: ['tokens'], verbs: read },
    {
      reason: 'progress is told in the status',
      groups: slipway,
      resources: ['tokens/status'],
      verbs: ['patch'],
    },
    {
      reason: 'what was deployed and delivered is kept, step by step',
      groups: slipway,
      resources: ['journals'],
      verbs: [...read, 'create', 'patch'],
    },
    {
      reason: 'recordings are followed',
      groups: slipway,
      resources: ['recordings'],
      verbs: read,
    },
    {
      reason: 'progress is told in the status',
      groups: slipway,
      resources: ['recordings/status'],
      verbs: ['patch'],
    },
    {
      reason: 'what a recording captures is kept in chunks',
      groups: slipway,
      resources: ['recordingchunks'],
      verbs: ['get', 'create', 'update', 'delete'],
    },
    {
      reason: 'transactions are sent again until they are mined, then archived',
      groups: slipway,
      resources: ['outboxes'],
      verbs: [...read, 'create', 'update', 'delete'],
    },
    {
      reason: 'how far they are is told in the status',
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
      reason: 'engines are called: recordings read blocks',
      groups: ['discovery.k8s.io'],
      resources: ['endpointslices'],
      verbs: read,
    },
    {
      reason: 'engines and what belongs to them are watched',
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
      reason: 'a new namespace is fenced off before anything can run in it',
      groups: ['networking.k8s.io'],
      resources: ['networkpolicies'],
      verbs: [...read, 'create', 'patch'],
    },
    {
      reason: 'the operator gives itself its rights in a namespace that it made',
      groups: ['rbac.authorization.k8s.io'],
      resources: ['rolebindings'],
      verbs: [...read, 'create', 'patch'],
    },
    {
      reason: '… and no others than these',
      groups: ['rbac.authorization.k8s.io'],
      resources: ['clusterroles'],
      verbs: ['bind'],
      names: ['{workspace role}', '{home role}'],
    },
    {
      reason: 'steps and failures are told as Events',
      groups: core,
      resources: ['events'],
      verbs: ['create', 'patch'],
    },
  ],
  workspaces: [
    {
      reason: 'engines run here',
      groups: core,
      resources: ['pods', 'services', 'configmaps', 'persistentvolumeclaims'],
      verbs: [...read, 'create', 'patch', 'delete'],
    },
    {
      reason:
        'the source of a fork and the keys of engines reach them as Secrets, which are written and never read',
      groups: core,
      resources: ['secrets'],
      verbs: ['create', 'patch', 'delete'],
    },
    {
      reason: 'a restart is asked for by an ephemeral container',
      groups: core,
      resources: ['pods/ephemeralcontainers'],
      verbs: ['patch'],
    },
    {
      reason: 'engines are prepared by Jobs',
      groups: ['batch'],
      resources: ['jobs'],
      verbs: [...read, 'create', 'patch', 'delete'],
    },
    {
      reason: 'engines are fenced off',
      groups: ['networking.k8s.io'],
      resources: ['networkpolicies'],
      verbs: [...read, 'create', 'patch', 'delete'],
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
      reason: 'a namespace keeps its labels, and goes with its workspace',
      groups: core,
      resources: ['namespaces'],
      verbs: ['patch', 'delete'],
    },
    {
      reason: 'what the operator put there is kept in order',
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
      reason: 'memberships of owners are made, those of deleted accounts removed',
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
      reason: 'progress is told in the status',
      groups: slipway,
      resources: ['workspaces/status', 'users/status'],
      verbs: ['patch'],
    },
    {
      reason: 'one replica leads',
      groups: ['coordination.k8s.io'],
      resources: ['leases'],
      verbs: [...read, 'create', 'update', 'patch'],
    },
  ],
} as const satisfies ProcessAccess;
