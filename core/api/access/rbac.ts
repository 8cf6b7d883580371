import { apiserverAccess } from './rbac/apiserver.ts';
import { operatorAccess } from './rbac/operator.ts';
import { type AccessRule, type ProcessAccess, read, slipway } from './rbac/rule.ts';

/** Least privilege of each process. */
export const processAccess = {
  apiserver: apiserverAccess,
  operator: operatorAccess,
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
