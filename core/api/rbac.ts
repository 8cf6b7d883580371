import { apiGroup } from './names.ts';

/** What one process may do with some resources; `reason` is written beside the rule. */
export interface AccessRule {
  reason: string;
  groups: readonly string[];
  resources: readonly string[];
  verbs: readonly string[];
  /** Only these objects. `{workspace role}` and `{home role}` stand for the roles that are bound in workspaces. */
  names?: readonly string[];
}

/**
 * Where rules hold: in the whole cluster, in the namespaces of workspaces, in those among them that the operator made,
 * or in the service's own.
 */
export interface ProcessAccess {
  cluster: readonly AccessRule[];
  workspaces: readonly AccessRule[];
  homes: readonly AccessRule[];
  own: readonly AccessRule[];
}

const read = ['get', 'list', 'watch'] as const;
const slipway = [apiGroup] as const;
const core = [''] as const;

/**
 * Least privilege of each process. The apiserver may not touch pods; the operator never changes a secret and never
 * sees an API key.
 */
export const processAccess = {
  apiserver: {
    cluster: [
      {
        reason: 'networks are created, replaced, woken and deleted over REST',
        groups: slipway,
        resources: ['networks'],
        verbs: [...read, 'create', 'update', 'patch', 'delete'],
      },
      {
        reason: 'activity is noted in the status',
        groups: slipway,
        resources: ['networks/status'],
        verbs: ['patch'],
      },
      {
        reason: 'secrets are created and deleted over REST, never changed',
        groups: slipway,
        resources: ['secrets'],
        verbs: [...read, 'create', 'delete'],
      },
      {
        reason: 'tokens and their deployments are asked for and removed over REST',
        groups: slipway,
        resources: ['tokens'],
        verbs: [...read, 'create', 'update', 'delete'],
      },
      {
        reason: 'recordings are started and stopped over REST',
        groups: slipway,
        resources: ['recordings'],
        verbs: [...read, 'create', 'update'],
      },
      {
        reason: 'what a recording holds is answered',
        groups: slipway,
        resources: ['recordingchunks'],
        verbs: ['get', 'list'],
      },
      {
        reason: 'transactions are written down before they are sent',
        groups: slipway,
        resources: ['outboxes'],
        verbs: [...read, 'create', 'update', 'delete'],
      },
      {
        reason: 'the RPC gateway finds the engines',
        groups: ['discovery.k8s.io'],
        resources: ['endpointslices'],
        verbs: read,
      },
      { reason: 'workspaces are namespaces', groups: core, resources: ['namespaces'], verbs: read },
    ],
    workspaces: [],
    homes: [],
    own: [
      {
        reason: 'workspaces, memberships and their owners are kept over REST',
        groups: slipway,
        resources: ['workspaces', 'memberships'],
        verbs: [...read, 'create', 'update', 'delete'],
      },
      {
        reason: 'an accepted invitation may begin an account',
        groups: slipway,
        resources: ['users'],
        verbs: [...read, 'create'],
      },
      {
        reason: 'invitations are kept as a record of what became of them',
        groups: slipway,
        resources: ['invitations'],
        verbs: ['get', 'list', 'create'],
      },
      {
        reason: 'invitations are accepted and revoked',
        groups: slipway,
        resources: ['invitations/status'],
        verbs: ['update'],
      },
      {
        reason: 'API keys are checked, created and revoked, never changed',
        groups: slipway,
        resources: ['apikeys'],
        verbs: [...read, 'create', 'delete'],
      },
      {
        reason: 'the last use of a key is noted in its status',
        groups: slipway,
        resources: ['apikeys/status'],
        verbs: ['patch'],
      },
      {
        reason: 'replicas agree on requests that are sent twice',
        groups: slipway,
        resources: ['idempotencyrecords'],
        verbs: ['get', 'list', 'create', 'update', 'delete'],
      },
    ],
  },
  operator: {
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
    homes: [
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
  },
} as const satisfies Record<string, ProcessAccess>;

/** What the cluster's own roles «view» and «edit» give to people in a namespace. */
export const peopleAccess = {
  view: [
    {
      reason: 'secrets are left out, as «view» leaves out the cluster’s own',
      groups: slipway,
      resources: ['networks', 'tokens', 'recordings', 'recordingchunks'],
      verbs: read,
    },
  ],
  edit: [
    {
      reason: 'status belongs to the service',
      groups: slipway,
      resources: ['networks', 'secrets', 'tokens', 'recordings'],
      verbs: [...read, 'create', 'update', 'patch', 'delete', 'deletecollection'],
    },
  ],
} as const satisfies Record<string, readonly AccessRule[]>;
