import { resourcesForPeople } from '../features.ts';
import { apiserverAccess } from './rbac/apiserver.ts';
import { operatorAccess } from './rbac/operator.ts';
import { type AccessRule, type ProcessAccess, read, slipway } from './rbac/rule.ts';

/** Least privilege of each process. */
export const processAccess = {
  apiserver: apiserverAccess,
  operator: operatorAccess,
} as const satisfies Record<string, ProcessAccess>;

/** Rules that are aggregated into the cluster's roles "view" and "edit" for users of a namespace. */
export const peopleAccess = {
  view: [
    {
      reason: 'secrets are omitted, as in the built-in "view" role',
      groups: slipway,
      resources: [
        'networks',
        'tokens',
        'recordings',
        'recordingchunks',
        'snapshots',
        ...resourcesForPeople('view'),
      ],
      verbs: read,
    },
  ],
  edit: [
    {
      reason: 'only the service writes status',
      groups: slipway,
      resources: ['networks', 'secrets', 'tokens', 'recordings', 'snapshots', ...resourcesForPeople('edit')],
      verbs: [...read, 'create', 'update', 'patch', 'delete', 'deletecollection'],
    },
  ],
} as const satisfies Record<string, readonly AccessRule[]>;
