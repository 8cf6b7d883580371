import { apiGroup } from './names.ts';

/** What one process may do with some resources; `reason` is written beside the rule. */
export interface AccessRule {
  reason: string;
  groups: readonly string[];
  resources: readonly string[];
  verbs: readonly string[];
}

/** Where rules hold: in the whole cluster, in the namespaces of workspaces, or in the service's own. */
export interface ProcessAccess {
  cluster: readonly AccessRule[];
  workspaces: readonly AccessRule[];
  own: readonly AccessRule[];
}

const read = ['get', 'list', 'watch'] as const;
const slipway = [apiGroup] as const;
const core = [''] as const;

/** Least privilege of each process. The apiserver may not touch pods; the operator never changes a secret. */
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
        reason: 'the RPC gateway finds the engines',
        groups: ['discovery.k8s.io'],
        resources: ['endpointslices'],
        verbs: read,
      },
      { reason: 'workspaces are namespaces', groups: core, resources: ['namespaces'], verbs: read },
    ],
    workspaces: [],
    own: [],
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
        reason: 'addresses are derived from the secrets that networks refer to',
        groups: slipway,
        resources: ['secrets'],
        verbs: read,
      },
      {
        reason: 'engines and what belongs to them are watched',
        groups: core,
        resources: ['pods', 'services', 'configmaps', 'persistentvolumeclaims'],
        verbs: read,
      },
      { reason: 'workspaces are namespaces', groups: core, resources: ['namespaces'], verbs: read },
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
        reason: 'the source of a fork reaches an engine as a Secret, which is written and never read',
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
    ],
    own: [
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
      resources: ['networks', 'tokens', 'recordings'],
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
