import { accessOfFeatures } from '../../features.ts';
import { engineObjects, formerWriterLeases, writtenLease } from '../../names.ts';
import { core, type ProcessAccess, read, slipway } from './rule.ts';

/** Least privilege of the apiserver: of pods, it reads the list and the logs, and only where networks run. */
export const apiserverAccess = {
  cluster: [
    ...accessOfFeatures('apiserver', 'cluster'),
    {
      reason: 'networks are created, replaced, woken and deleted over REST',
      groups: slipway,
      resources: ['networks'],
      verbs: [...read, 'create', 'update', 'patch', 'delete'],
    },
    {
      reason: 'activity is recorded in the status',
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
      reason: 'tokens and their deployments are requested and removed over REST',
      groups: slipway,
      resources: ['tokens'],
      verbs: [...read, 'create', 'update', 'delete'],
    },
    {
      reason: 'snapshots are taken and deleted over REST',
      groups: slipway,
      resources: ['snapshots'],
      verbs: [...read, 'create', 'delete'],
    },
    {
      reason: 'recordings are started, stopped and deleted over REST',
      groups: slipway,
      resources: ['recordings'],
      verbs: [...read, 'create', 'update', 'delete'],
    },
    {
      reason: 'recorded data is served over REST',
      groups: slipway,
      resources: ['recordingchunks'],
      verbs: ['get'],
    },
    {
      reason: 'replays are ordered, and answered from their stored outcome',
      groups: slipway,
      resources: ['replays'],
      verbs: [...read, 'create', 'update', 'delete'],
    },
    {
      reason: 'transactions are persisted before they are sent',
      groups: slipway,
      resources: ['outboxes'],
      verbs: [...read, 'create', 'update', 'delete'],
    },
    {
      reason: 'what workspaces use is counted, and what they store is kept within their budgets',
      groups: slipway,
      resources: ['usagerecords'],
      verbs: [...read, 'create', 'update'],
    },
    {
      reason: 'the RPC gateway finds the engines',
      groups: ['discovery.k8s.io'],
      resources: ['endpointslices'],
      verbs: read,
    },
    {
      reason: 'an EndpointSlice is trusted only if it belongs to a Service of the network',
      groups: [''],
      resources: ['services'],
      verbs: read,
    },
    { reason: 'workspaces are namespaces', groups: core, resources: ['namespaces'], verbs: read },
  ],
  workspaces: [
    {
      reason: 'the logs of a network are those of its pods',
      groups: core,
      resources: ['pods'],
      verbs: ['list'],
    },
    {
      reason: 'logs are served over REST',
      groups: core,
      resources: ['pods/log'],
      verbs: ['get'],
    },
  ],
  workspaceNamespaces: [],
  own: [
    ...accessOfFeatures('apiserver', 'own'),
    {
      reason: 'workspaces, memberships and owners are managed over REST',
      groups: slipway,
      resources: ['workspaces', 'memberships'],
      verbs: [...read, 'create', 'update', 'delete'],
    },
    {
      reason: 'whoever joins may get an account, within the quota, and prove to own its e-mail address later',
      groups: slipway,
      resources: ['users'],
      verbs: [...read, 'create', 'update', 'delete'],
    },
    {
      reason: "the first API key's use and revocation are recorded in the administrator's status",
      groups: slipway,
      resources: ['users/status'],
      verbs: ['patch', 'update'],
    },
    {
      reason: 'invitations are created and mailed; those that ended are kept for a while, and then deleted',
      groups: slipway,
      resources: ['invitations'],
      verbs: [...read, 'create', 'delete'],
    },
    {
      reason: 'invitations are mailed, accepted and revoked',
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
      reason: 'the last use of a key is recorded in its status',
      groups: slipway,
      resources: ['apikeys/status'],
      verbs: ['patch'],
    },
    {
      reason: 'replicas coordinate repeated requests with the same Idempotency-Key',
      groups: slipway,
      resources: ['idempotencyrecords'],
      verbs: ['get', 'list', 'watch', 'create', 'update', 'delete'],
    },
    {
      reason: 'what engines there are, and what can be built, is watched',
      groups: core,
      resources: ['configmaps'],
      verbs: read,
      names: [engineObjects.chart, engineObjects.available],
    },
    {
      reason: 'only a living builder builds',
      groups: ['coordination.k8s.io'],
      resources: ['leases'],
      verbs: read,
      names: [engineObjects.builder],
    },
    {
      reason: 'replicas publish what they have written, so that reads of all show it',
      groups: ['coordination.k8s.io'],
      resources: ['leases'],
      verbs: ['get', 'update', 'patch'],
      names: [writtenLease, ...formerWriterLeases],
    },
    {
      reason: 'the first write creates the Lease; no rule can name what does not exist',
      groups: ['coordination.k8s.io'],
      resources: ['leases'],
      verbs: ['create'],
    },
  ],
} as const satisfies ProcessAccess;
