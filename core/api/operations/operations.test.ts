import { z } from 'zod';
import { permissions } from '../access/permissions.ts';
import { deployEndpoints } from '../rules/tokenArgs.ts';
import { documentedPath, errorStatuses } from './operation.ts';
import { type OperationId, operationGroups, operationIds, operationOf, operations } from './operations.ts';

/** The endpoint tables of the specification, copied by hand: method, path, success status, listed errors. */
const specified: [string, string, number, number[]][] = [
  ['GET', '/v1alpha/networks', 200, [404]],
  ['GET', '/v1alpha/networks/{id}', 200, [404]],
  ['GET', '/v1alpha/networks/{id}/endpoints', 200, [404]],
  ['POST', '/v1alpha/networks', 201, [400]],
  ['PUT', '/v1alpha/networks/{id}', 200, [400, 404, 409]],
  ['DELETE', '/v1alpha/networks/{id}', 200, [404, 409]],
  ['GET', '/v1alpha/secrets', 200, [404]],
  ['GET', '/v1alpha/secrets/{id}', 200, [404]],
  ['POST', '/v1alpha/secrets', 201, [400]],
  ['DELETE', '/v1alpha/secrets/{id}', 200, [404, 409]],
  ['GET', '/v1alpha1/transaction/token', 200, []],
  ['GET', '/v1alpha1/transaction/token/{token_id}', 200, [404]],
  ['DELETE', '/v1alpha1/transaction/token/{token_id}', 204, [404]],
  ['POST', '/v1alpha1/transaction/token/{token_id}/add-deployments', 201, [400]],
  ['GET', '/v1alpha1/transaction/token/{token_id}/deployments', 200, []],
  ['GET', '/v1alpha1/transaction/token/{token_id}/deployments/{network_id}', 200, [404]],
  ['DELETE', '/v1alpha1/transaction/token/{token_id}/deployments/{network_id}', 204, [404]],
  ['GET', '/v1alpha1/transaction/token-types', 200, []],
  ['GET', '/v1alpha1/transaction/health', 200, []],
  ['POST', '/v1alpha1/transaction/token/erc20/deploy', 201, [400]],
  ['POST', '/v1alpha1/transaction/token/cct/lock-release/deploy', 201, [400]],
  ['POST', '/v1alpha1/transaction/token/cct/burn-mint/deploy', 201, [400]],
  ['POST', '/v1alpha1/transaction/token/erc3643/deploy', 201, [400]],
  ['POST', '/v1alpha1/transaction/token/oft/deploy', 201, [400]],
  ['POST', '/v1alpha1/transaction/submit', 202, [400]],
  ['POST', '/v1alpha1/transaction/recording/start', 201, [400]],
  ['POST', '/v1alpha1/transaction/recording/stop', 200, [400, 404]],
  ['GET', '/v1alpha1/transaction/recording/list-all', 200, []],
  ['GET', '/v1alpha1/transaction/recording/{id}', 200, [404]],
  ['GET', '/v1alpha1/transaction/recording/active/{userAddress}', 200, []],
  ['POST', '/v1alpha1/transaction/recording/replay', 200, [400, 404]],
];

/** Endpoints of standards that the specification does not have. */
const otherStandards = deployEndpoints
  .map(({ path }) => `/v1alpha1/transaction/token/${path}/deploy`)
  .filter((path) => !specified.some(([, one]) => one === path))
  .map((path): [string, string, number, number[]] => ['POST', path, 201, [400]]);

/** Endpoints that the specification leaves open, and those that this project adds. */
const own: [string, string, number, number[]][] = [
  ['GET', '/v1alpha/chain-types', 200, []],
  ['GET', '/v1alpha/networks/{id}/accounts', 200, [404]],
  ['GET', '/v1alpha/networks/{id}/accounts/{address}/key', 200, [403, 404]],
  ['GET', '/v1alpha/networks/{id}/contracts', 200, [404]],
  ['GET', '/v1alpha/networks/{id}/contracts/{address}', 200, [404]],
  ['GET', '/v1alpha/contracts', 200, []],
  ['POST', '/v1alpha/networks/{id}/chain', 200, [400, 404, 409]],
  ['GET', '/v1alpha/networks/{id}/accounts/{address}/transactions', 200, [400, 404, 409]],
  ['GET', '/v1alpha/networks/{id}/accounts/{address}/transfers', 200, [400, 404, 409]],
  ['GET', '/v1alpha/networks/{id}/blocks', 200, [400, 404, 409]],
  ['GET', '/v1alpha/networks/{id}/calls', 200, [400, 404]],
  ['PUT', '/v1alpha/networks/{id}/calls', 200, [404, 409]],
  ['GET', '/v1alpha/networks/{id}/keys', 200, [404]],
  ['POST', '/v1alpha/networks/{id}/keys', 201, [400, 404, 409]],
  ['DELETE', '/v1alpha/networks/{id}/keys/{name}', 200, [404]],
  ['GET', '/v1alpha/addresses', 200, [404]],
  ['PUT', '/v1alpha/addresses/{address}', 200, [400, 404, 409, 429]],
  ['DELETE', '/v1alpha/addresses/{address}', 200, [400, 404]],
  ['POST', '/v1alpha/networks/{id}/rotate-keys', 200, [404, 409]],
  ['POST', '/v1alpha/networks/{id}/stop', 200, [404, 409]],
  ['POST', '/v1alpha/networks/{id}/faucet', 202, [400, 404, 409]],
  ['GET', '/v1alpha/networks/{id}/logs', 200, [400, 404, 409]],
  ['POST', '/v1alpha/networks/{id}/wake', 200, [404, 409]],
  ['GET', '/v1alpha/snapshots', 200, [404]],
  ['GET', '/v1alpha/snapshots/{id}', 200, [404]],
  ['DELETE', '/v1alpha/snapshots/{id}', 200, [404, 409]],
  ['GET', '/v1alpha/networks/{id}/snapshots', 200, [404]],
  ['POST', '/v1alpha/networks/{id}/snapshots', 201, [400, 404, 409, 413, 429]],
  ['GET', '/v1alpha/events', 200, [400, 404, 429]],
  ['GET', '/v1alpha/networks/{id}/snapshots/{snapshotId}', 200, [404]],
  ['DELETE', '/v1alpha/networks/{id}/snapshots/{snapshotId}', 200, [404, 409]],
  ['POST', '/v1alpha/networks/{id}/snapshots/{snapshotId}/revert', 200, [400, 404, 409]],
  ['GET', '/v1alpha/webhooks', 200, [404]],
  ['POST', '/v1alpha/webhooks', 201, [400, 404, 409, 429]],
  ['GET', '/v1alpha/webhooks/{id}', 200, [404]],
  ['PUT', '/v1alpha/webhooks/{id}', 200, [400, 404, 409]],
  ['DELETE', '/v1alpha/webhooks/{id}', 200, [404]],
  ['POST', '/v1alpha/webhooks/{id}/rotate-secret', 200, [404, 409]],
  ['POST', '/v1alpha/webhooks/{id}/test', 202, [404, 409]],
  ['POST', '/v1alpha/webhooks/{id}/resume', 200, [404, 409]],
  ['GET', '/v1alpha/webhooks/{id}/deliveries', 200, [404]],
  ['POST', '/v1alpha/webhooks/{id}/deliveries/{deliveryId}/resend', 202, [404, 409]],
  ['GET', '/v1alpha1/transaction/recording/{id}/document', 200, [404]],
  ['DELETE', '/v1alpha1/transaction/recording/{id}', 204, [404]],
  ['GET', '/v1alpha1/transaction/submissions', 200, [400]],
  ['GET', '/v1alpha1/transaction/submissions/{hash}', 200, [400, 404]],
  ['GET', '/v1alpha1/me', 200, []],
  ['POST', '/v1alpha1/workspaces/{id}/invitations/{invitationId}/resend', 200, [404, 409]],
  ['POST', '/v1alpha1/device-sign-ins', 201, [400, 403]],
  ['POST', '/v1alpha1/device-sign-ins/poll', 200, [400, 404]],
  ['POST', '/v1alpha1/device-sign-ins/api-key', 201, [400, 403, 404, 409]],
  ['POST', '/v1alpha1/device-sign-ins/look-up', 200, [400, 404]],
  ['POST', '/v1alpha1/device-sign-ins/deny', 204, [400, 404, 409]],
  ['POST', '/v1alpha1/workspaces/{id}/device-sign-ins', 201, [400, 404, 409]],
  ['GET', '/v1alpha1/permissions', 200, []],
  ['GET', '/v1alpha1/workspaces', 200, []],
  ['POST', '/v1alpha1/workspaces', 201, [400, 409]],
  ['GET', '/v1alpha1/workspaces/{id}', 200, [404]],
  ['PUT', '/v1alpha1/workspaces/{id}', 200, [400, 404, 409]],
  ['DELETE', '/v1alpha1/workspaces/{id}', 204, [404, 409]],
  ['GET', '/v1alpha1/workspaces/{id}/memberships', 200, [404]],
  ['PUT', '/v1alpha1/workspaces/{id}/memberships/{userId}', 200, [400, 404]],
  ['DELETE', '/v1alpha1/workspaces/{id}/memberships/{userId}', 204, [404]],
  ['GET', '/v1alpha1/workspaces/{id}/usage', 200, [404]],
  ['GET', '/v1alpha1/workspaces/{id}/audit', 200, [404]],
  ['GET', '/v1alpha1/workspaces/{id}/invitations', 200, [404]],
  ['POST', '/v1alpha1/workspaces/{id}/invitations', 201, [400, 404]],
  ['DELETE', '/v1alpha1/workspaces/{id}/invitations/{invitationId}', 204, [404]],
  ['POST', '/v1alpha1/invitations/accept', 200, [400, 404]],
  ['POST', '/v1alpha1/invitations/look-up', 200, [400, 404, 409]],
  ['POST', '/v1alpha1/sign-in/oidc/{provider}', 201, [400, 403, 404, 503]],
  ['POST', '/v1alpha1/sign-in/oidc', 201, [400, 401, 403, 503]],
  ['POST', '/v1alpha1/sign-in/wallet/challenge', 201, [400, 403]],
  ['POST', '/v1alpha1/sign-in/wallet', 201, [400, 401, 403]],
  ['GET', '/v1alpha1/identities', 200, []],
  ['POST', '/v1alpha1/identities', 201, [400, 401, 403, 409]],
  ['POST', '/v1alpha1/identities/oidc/{provider}', 201, [403, 404, 503]],
  ['POST', '/v1alpha1/identities/wallet', 201, [400, 403]],
  ['DELETE', '/v1alpha1/identities/{identityId}', 204, [403, 404]],
  ['POST', '/v1alpha1/sessions', 201, [400, 401, 403]],
  ['GET', '/v1alpha1/sessions', 200, []],
  ['DELETE', '/v1alpha1/sessions/{sessionId}', 204, [404]],
  ['GET', '/v1alpha1/sign-in', 200, []],
  ['POST', '/v1alpha1/sign-in-links', 201, [403]],
  ['POST', '/v1alpha1/sign-in/link', 201, [400, 401, 403]],
  ['GET', '/v1alpha1/sign-in/passkey', 200, [403]],
  ['POST', '/v1alpha1/sign-in/passkey', 201, [400, 401, 403]],
  ['GET', '/v1alpha1/passkeys/options', 200, [403]],
  ['GET', '/v1alpha1/passkeys', 200, []],
  ['POST', '/v1alpha1/passkeys', 201, [400, 403, 409]],
  ['PUT', '/v1alpha1/passkeys/{passkeyId}', 200, [400, 404]],
  ['DELETE', '/v1alpha1/passkeys/{passkeyId}', 204, [403, 404]],
  ['GET', '/v1alpha1/password', 200, []],
  ['PUT', '/v1alpha1/password', 200, [400, 403, 409]],
  ['DELETE', '/v1alpha1/password', 204, [403, 404]],
  ['POST', '/v1alpha1/sign-in/password', 201, [400, 401, 403]],
  ['GET', '/v1alpha1/workspaces/{id}/api-keys', 200, [404]],
  ['POST', '/v1alpha1/workspaces/{id}/api-keys', 201, [400, 404]],
  ['DELETE', '/v1alpha1/workspaces/{id}/api-keys/{keyId}', 204, [404]],
  ...otherStandards,
];

const all = operationIds.map((id) => ({ id, operation: operationOf(id) }));
const find = (method: string, path: string) =>
  all.find(({ operation }) => operation.method === method && operation.path === path)?.operation;

describe('the operations table', () => {
  test.each([...specified, ...own])('%s %s answers %i', (method, path, status, errors) => {
    const operation = find(method, path);
    expect(operation?.success.status).toBe(status);
    expect(errorStatuses(operation!)).toEqual(expect.arrayContaining(errors));
  });

  test('has no other operations', () => {
    expect(all).toHaveLength(specified.length + own.length);
  });

  test('is the sum of its groups', () => {
    const grouped = operationGroups.flatMap((group) => Object.keys(group.operations));
    expect(grouped.sort()).toEqual(Object.keys(operations).sort());
  });

  test.each(all)('$id: its path parameters match its schema', ({ operation }) => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(operation.params?.shape ?? {})).toEqual(inPath);
  });

  test.each(all)('$id: requires an existing permission, or is public', ({ id, operation }) => {
    const known: string[] = Object.keys(permissions);
    const isPublic = [
      ...['getTransactionHealth', 'acceptInvitation', 'createSession'],
      ...['getSignInOptions', 'signInWithLink', 'getPasskeySignInOptions', 'signInWithPasskey'],
      'signInWithPassword',
      'lookUpInvitation',
      ...['createDeviceSignIn', 'pollDeviceSignIn', 'createDeviceApiKey'],
    ].includes(id);
    expect(known.includes(operation.permission)).toBe(!isPublic && !operation.isSignIn);
  });

  test.each(all)('$id: acts in the workspace that its path names', ({ operation }) => {
    const isInWorkspace = operation.path.startsWith('/v1alpha1/workspaces/{id}');
    expect(operation.workspaceParam).toBe(isInWorkspace ? 'id' : undefined);
  });

  test.each(all)('$id: returns a body unless it is 204', ({ operation: { success } }) => {
    expect(success.schema === undefined).toBe(success.status === 204);
  });

  test.each(all)('$id: a read takes no body, a write has its own permission', ({ id, operation }) => {
    if (operation.method === 'GET') expect(operation.body).toBeUndefined();
    // Calls of a node are too long for an address.
    const isRead = operation.method === 'GET' || operation.isRead === true;
    // Of the caller's own account, whatever the role in the workspace: whoever is signed in may sign out.
    const own = [
      'deleteSession',
      'createSignInLink',
      'createPasskey',
      'replacePasskey',
      'deletePasskey',
      'denyDeviceSignIn',
    ];
    if (own.includes(id) || id.endsWith('Password')) return;
    if (/Identit|Oidc|Wallet/.test(id)) return;
    if (operation.permission !== '') expect(operation.permission.endsWith(':read')).toBe(isRead);
  });

  test('a path is never shadowed by an earlier one', () => {
    for (const [index, { operation }] of all.entries()) {
      const earlier = all.slice(0, index).filter((one) => one.operation.method === operation.method);
      const shadows = earlier.filter((one) => patternOf(one.operation.path).test(operation.path));
      expect([operation.path, shadows.map((one) => one.id)]).toEqual([operation.path, []]);
    }
  });
});

/** The pattern that a router matches for a path. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}

const selectable: [OperationId, string[]][] = [
  [
    'listNetworks',
    ['status.state', 'spec.chain.type', 'metadata.ownerID', 'spec.persistent', 'metadata.name'],
  ],
  ['listSecrets', ['type', 'metadata.ownerID', 'metadata.name']],
  ['listTokens', ['type', 'name', 'symbol']],
];

test.each(selectable)('%s is filtered by the fields of the specification, names and labels', (id, fields) => {
  const operation = operationOf(id);
  expect(operation.selectable).toEqual([...fields, 'metadata.labels.<key>']);
  expect(operation.listQuery).toBe(true);
  expect(Object.keys(operation.query?.shape ?? {})).toEqual(
    expect.arrayContaining(['limit', 'cursor', 'selector']),
  );
});

test('what is replaced is compared with the revisions that the caller names', () => {
  const replacing = all.filter(({ operation }) => {
    const { metadata } =
      operation.method === 'PUT' && operation.body instanceof z.ZodObject ? operation.body.shape : {};
    return (
      metadata !== undefined &&
      JSON.stringify(
        z.toJSONSchema(z.object({ metadata }), { io: 'input', unrepresentable: 'any' }),
      ).includes('"rev"')
    );
  });
  expect(replacing.map(({ id }) => id)).toContain('replaceWebhook');
  for (const { operation } of replacing) expect(operation.comparesRevisions).toBe(true);
});

test.each([
  ['networks directly', 'getNetwork', '/v1alpha/networks/{id}'],
  ['secrets directly', 'getSecret', '/v1alpha/secrets/{id}'],
  ['transactions behind their prefix', 'submitTransactions', '/transaction/v1alpha1/transaction/submit'],
  ['workspaces behind their prefix', 'getMe', '/workspace/v1alpha1/me'],
] as const)('documents %s', (_reason, id, path) => {
  expect(documentedPath(operationOf(id))).toBe(path);
});

test('the body of a replay may be larger than others', () => {
  const larger = all.filter(({ operation }) => operation.bodyLimitBytes !== undefined);
  expect(larger.map(({ id, operation }) => [id, operation.bodyLimitBytes])).toEqual([
    ['replayRecording', 32 * 1024 * 1024],
  ]);
});

test.each([
  ['a public read', 'getTransactionHealth', [400, 405, 429, 431, 500, 503]],
  ['a read: the workspace may not exist', 'getMe', [400, 401, 403, 404, 405, 429, 431, 500, 503]],
  [
    'a create: body, Idempotency-Key',
    'createNetwork',
    [400, 401, 403, 404, 405, 408, 409, 413, 415, 429, 431, 500, 503],
  ],
] as const)('error statuses of %s', (_reason, id, statuses) => {
  expect(errorStatuses(operationOf(id))).toEqual(statuses);
});

test('values of selectable fields are those of fields that a list has, and announce a Warning', () => {
  const withValues = operationIds.map(operationOf).filter(({ selectableValues }) => selectableValues);
  expect(withValues.length).toBeGreaterThan(3);
  for (const { selectable, selectableValues = {}, canWarn } of withValues) {
    expect(selectable).toEqual(expect.arrayContaining(Object.keys(selectableValues)));
    expect(canWarn).toBe(true);
  }
});

test('a whole number in a query has digits alone', () => {
  const queries = operationIds.flatMap((id) => operationOf(id).query ?? []);
  const numbers = queries.flatMap((query) => integersOf(query).map((name) => [name, query] as const));
  expect(numbers.map(([name]) => name)).toContain('limit');
  for (const [name, query] of numbers) {
    expect(query.safeParse({ [name]: '007' }).data).toMatchObject({ [name]: 7 });
    for (const given of ['1e1', '0x10', '+5', '5.0', ' 5', '5 ', '', '٥', 'Infinity']) {
      const issues = query.safeParse({ [name]: given }).error?.issues;
      const expected = [{ path: [name], message: 'use a whole number, in digits alone' }];
      expect([name, given, issues]).toMatchObject([name, given, expected]);
    }
  }
});

/** The names of the parameters that are whole numbers. */
function integersOf(query: z.ZodObject): string[] {
  const { properties = {} } = z.toJSONSchema(query, { io: 'input' });
  return Object.entries(properties)
    .filter(([, schema]) => typeof schema === 'object' && schema.type === 'integer')
    .map(([name]) => name);
}
