import { read, slipway } from '../../../core/api/access/rbac/rule.ts';

/** What the API server does with the resources that users sign in with. */
export const access = {
  apiserver: {
    own: [
      {
        reason: 'sessions are checked, created and ended, never changed',
        groups: slipway,
        resources: ['sessions'],
        verbs: [...read, 'create', 'delete'],
      },
      {
        reason: 'the last use of a session is recorded in its status',
        groups: slipway,
        resources: ['sessions/status'],
        verbs: ['patch'],
      },
      {
        reason: 'users link and unlink what they sign in with',
        groups: slipway,
        resources: ['identities'],
        verbs: ['get', 'list', 'create', 'delete'],
      },
      {
        reason: 'passkeys are enrolled, renamed, checked and removed',
        groups: slipway,
        resources: ['passkeys'],
        verbs: ['get', 'list', 'create', 'update', 'delete'],
      },
      {
        reason: 'the counter of a passkey is recorded in its status',
        groups: slipway,
        resources: ['passkeys/status'],
        verbs: ['update'],
      },
      {
        reason: 'passwords are set, checked and removed',
        groups: slipway,
        resources: ['passwords'],
        verbs: ['get', 'list', 'create', 'update', 'delete'],
      },
      {
        reason: 'sign-in links and answered challenges count once',
        groups: slipway,
        resources: ['signintickets'],
        verbs: ['get', 'list', 'create', 'delete'],
      },
    ],
  },
} as const;
