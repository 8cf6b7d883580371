import { compact } from '../core/lib/compact.ts';
import { addMember, ask, createWorkspace, type Person, removeMember, successBody } from './lib/accounts.ts';
import { openReplicas } from './lib/replicas.ts';
import { token as administrator, call, freshEmail, freshName, until } from './lib/service.ts';

let team: string;
let owner: Person;
let admin: Person;
let developer: Person;
let viewer: Person;

beforeAll(async () => {
  owner = await addMember(administrator, 'default', 'developer');
  team = await createWorkspace(owner.token, freshName('team'));
  [admin, developer, viewer] = await Promise.all([
    addMember(owner.token, team, 'admin'),
    addMember(owner.token, team, 'developer'),
    addMember(owner.token, team, 'viewer'),
  ]);
});

afterAll(async () => {
  const deleted = await until(
    'the workspace to be deleted',
    () => ask(owner.token, 'DELETE', `/workspaces/${team}`),
    ({ status }) => status !== 409,
  );
  expect(deleted.status).toBe(204);
  await removeMember(administrator, 'default', owner);
});

const inTeam = (path = '') => `/workspaces/${team}${path}`;
const later = (ms: number) => `${new Date(Date.now() + ms).toISOString().slice(0, 19)}Z`;
const keyOf = (by: Person, body: object = {}) =>
  successBody(ask(by.token, 'POST', inTeam('/api-keys'), { name: 'e2e', role: 'viewer', ...body }));

it('a browser that signs in with an API key has its access on all replicas until it signs out', async () => {
  const replicas = await openReplicas();
  try {
    const browser = { 'Sec-Fetch-Site': 'same-origin' };
    const sessions = '/workspace/v1alpha1/sessions';
    const signIn = { body: { apiKey: viewer.token }, headers: browser, isAnonymous: true };
    const { status, headers } = await call('POST', sessions, signIn);
    const [cookie = ''] = (headers.getSetCookie()[0] ?? '').split(';');
    expect([status, cookie]).toEqual([201, expect.stringContaining('slipway-session=')]);
    const asks = replicas.map(
      ({ url }) =>
        () =>
          fetch(`${url}/workspace/v1alpha1/me`, { headers: { ...browser, cookie } }),
    );
    for (const ask of asks) {
      const answer = await until('the session', ask, (one) => one.status === 200);
      expect(await answer.json()).toMatchObject({ user: { id: viewer.userId } });
    }
    const foreign = { 'Sec-Fetch-Site': 'cross-site', cookie };
    expect((await call('GET', '/v1alpha/networks', { headers: foreign, isAnonymous: true })).status).toBe(
      403,
    );
    const end = { headers: { ...browser, cookie }, isAnonymous: true };
    expect((await call('DELETE', `${sessions}/current`, end)).status).toBe(204);
    for (const ask of asks) await until('the end of the session', ask, (one) => one.status === 401);
  } finally {
    for (const { close } of replicas) close();
  }
});

describe('workspaces and members', () => {
  it('the creator of a workspace is its owner, and its members can see it', async () => {
    const { items } = await successBody(ask(viewer.token, 'GET', inTeam('/memberships')));
    const roles = items.map((item: { userID: string; role: string }) => [item.userID, item.role]);
    expect(new Map(roles)).toEqual(
      new Map([
        [owner.userId, 'owner'],
        [admin.userId, 'admin'],
        [developer.userId, 'developer'],
        [viewer.userId, 'viewer'],
      ]),
    );
  });

  it('every account has a personal workspace with a default key', async () => {
    const { items } = await successBody(ask(developer.token, 'GET', '/workspaces?limit=500'));
    expect(items.map(({ id }: { id: string }) => id)).toContain(developer.personal);
    const { user } = await until(
      'the address of the default key',
      () => successBody(ask(developer.token, 'GET', '/me')),
      (me) => me.user.address !== undefined,
    );
    expect(user.address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    const headers = { Authorization: `Bearer ${developer.token}`, 'X-Workspace-ID': developer.personal };
    const secrets = await call('GET', '/v1alpha/secrets', { isAnonymous: true, headers });
    expect(secrets.body.items.map(({ name }: { name: string }) => name)).toContain('default-key');
  });

  it("a change of a member's role takes effect", async () => {
    const guest = await addMember(owner.token, team, 'viewer');
    const invite = () =>
      ask(guest.token, 'POST', inTeam('/invitations'), { email: freshEmail(), role: 'viewer' });
    expect((await invite()).status).toBe(403);
    await successBody(ask(owner.token, 'PUT', inTeam(`/memberships/${guest.userId}`), { role: 'admin' }));
    await until('the new role on every replica', invite, ({ status }) => status === 201);
    expect((await successBody(ask(guest.token, 'GET', '/me'))).role).toBe('admin');
    await successBody(ask(owner.token, 'DELETE', inTeam(`/memberships/${guest.userId}`)));
    const after = await until(
      'the membership to end on both replicas',
      () => ask(guest.token, 'GET', inTeam()),
      ({ status }) => status !== 200,
    );
    expect([401, 404]).toContain(after.status);
  });

  it('the last owner cannot be removed', async () => {
    const { status } = await ask(owner.token, 'DELETE', inTeam(`/memberships/${owner.userId}`));
    expect(status).toBe(409);
  });
});

describe('invitations', () => {
  const invite = (body: object = {}) =>
    successBody(
      ask(owner.token, 'POST', inTeam('/invitations'), { email: freshEmail(), role: 'viewer', ...body }),
    );
  const accept = (token: string) => ask(undefined, 'POST', '/invitations/accept', { token });
  const stateOf = async (id: string) => {
    const { items } = await successBody(ask(owner.token, 'GET', inTeam('/invitations?limit=500')));
    return items.find((item: { id: string }) => item.id === id)?.state;
  };

  it('can be accepted once without an account, and only the response contains the first key of the new account', async () => {
    const { token, id } = await invite();
    const first = await accept(token);
    expect(first.status).toBe(200);
    expect(first.body.apiKey.token).toMatch(/^[^.]+\.[^.]+$/);
    expect((await accept(token)).status).toBe(409);
    expect(await stateOf(id)).toBe('Accepted');
  });

  it('cannot be accepted once revoked', async () => {
    const { token, id } = await invite();
    expect((await ask(owner.token, 'DELETE', inTeam(`/invitations/${id}`))).status).toBe(204);
    expect((await accept(token)).status).toBe(409);
    expect(await stateOf(id)).toBe('Revoked');
  });

  it('expire at their expiry time', async () => {
    const { token, id } = await invite({ expiresAt: later(3_000) });
    await until(
      'the expiry',
      () => stateOf(id),
      (state) => state === 'Expired',
    );
    expect((await accept(token)).status).toBe(409);
    const past = await ask(owner.token, 'POST', inTeam('/invitations'), {
      email: freshEmail(),
      role: 'viewer',
      expiresAt: later(-60_000),
    });
    expect([past.status, past.body.details[0].path]).toEqual([400, 'expiresAt']);
  });
});

describe('API keys', () => {
  it('show their secret once and work both as a pair and as a token', async () => {
    const key = await keyOf(developer);
    const pair = { 'X-API-Key-ID': key.id, 'X-API-Key-Secret': key.secret };
    const byPair = await call('GET', '/workspace/v1alpha1/me', { isAnonymous: true, headers: pair });
    const byToken = await ask(key.token, 'GET', '/me');
    expect([byPair.body.apiKeyID, byToken.body.apiKeyID]).toEqual([key.id, key.id]);
    const both = { ...pair, Authorization: `Bearer ${developer.token}` };
    expect((await call('GET', '/workspace/v1alpha1/me', { isAnonymous: true, headers: both })).status).toBe(
      401,
    );
    const list = await successBody(ask(developer.token, 'GET', inTeam('/api-keys?limit=500')));
    expect(list.items.map(({ id }: { id: string }) => id)).toContain(key.id);
    expect(JSON.stringify(list)).not.toContain(key.secret);
  });

  it('report when they were last used', async () => {
    const key = await keyOf(developer);
    await successBody(ask(key.token, 'GET', '/me'));
    const used = await until(
      'the last use',
      async () => {
        const { items } = await successBody(ask(developer.token, 'GET', inTeam('/api-keys?limit=500')));
        return items.find(({ id }: { id: string }) => id === key.id);
      },
      ({ lastUsedAt }) => lastUsedAt !== undefined,
    );
    expect(Math.abs(Date.parse(used.lastUsedAt) - Date.now())).toBeLessThan(120_000);
  });

  it('can be restricted to fewer permissions than their role has', async () => {
    const key = await keyOf(developer, { role: 'developer', permissions: ['networks:read', 'account:read'] });
    expect((await ask(key.token, 'GET', '/v1alpha/networks')).status).toBe(200);
    expect((await ask(key.token, 'GET', '/v1alpha/secrets')).status).toBe(403);
    const wider = await ask(key.token, 'POST', inTeam('/api-keys'), { name: 'x', role: 'viewer' });
    expect(wider.status).toBe(403);
  });

  it('stop working at their expiry time', async () => {
    const key = await keyOf(developer, { expiresAt: later(4_000) });
    expect((await ask(key.token, 'GET', '/me')).status).toBe(200);
    await until(
      'the expiry',
      () => ask(key.token, 'GET', '/me'),
      ({ status }) => status === 401,
    );
  });

  it('stop working on every replica once revoked', async () => {
    const replicas = await openReplicas();
    try {
      expect(replicas.length).toBeGreaterThanOrEqual(2);
      const key = await keyOf(developer);
      const headers = { Authorization: `Bearer ${key.token}` };
      const statuses = () =>
        Promise.all(
          replicas.map(async ({ url }) => (await fetch(`${url}/workspace/v1alpha1/me`, { headers })).status),
        );
      expect(new Set(await statuses())).toEqual(new Set([200]));
      expect((await ask(developer.token, 'DELETE', inTeam(`/api-keys/${key.id}`))).status).toBe(204);
      // The other replicas learn of it through their watch.
      const isOver = (found: number[]) => found.every((status) => status === 401);
      await until('the key to be rejected on every replica', statuses, isOver);
      const body = { isAnonymous: true, headers };
      for (let i = 0; i < 20; i += 1) expect((await call('GET', '/v1alpha/networks', body)).status).toBe(401);
    } finally {
      for (const replica of replicas) replica.close();
    }
  });
});

describe('permissions of each role', () => {
  const network = { name: 'not-created' };
  const secret = () => ({ name: freshName('s'), type: 'note', data: 'aGk=' });
  const guest = () => ({ email: freshEmail(), role: 'viewer' });
  const unknown = '/workspaces/x/memberships';
  type Row = [string, string, () => string, (() => object) | undefined, number[]];
  /** The responses to the owner, admin, developer and viewer. A body that is invalid anyway creates nothing. */
  const rows: Row[] = [
    ['list networks', 'GET', () => '/v1alpha/networks', undefined, [200, 200, 200, 200]],
    ['create a network', 'POST', () => '/v1alpha/networks', () => network, [400, 400, 400, 403]],
    ['list secrets', 'GET', () => '/v1alpha/secrets', undefined, [200, 200, 200, 200]],
    ['create a secret', 'POST', () => '/v1alpha/secrets', secret, [201, 201, 201, 403]],
    ['read the workspace', 'GET', () => inTeam(), undefined, [200, 200, 200, 200]],
    ['update the workspace', 'PUT', () => inTeam(), () => ({ name: 'Not_a_name' }), [400, 400, 403, 403]],
    ['list members', 'GET', () => inTeam('/memberships'), undefined, [200, 200, 200, 200]],
    ['create an invitation', 'POST', () => inTeam('/invitations'), guest, [201, 201, 403, 403]],
    ['list invitations', 'GET', () => inTeam('/invitations'), undefined, [200, 200, 403, 403]],
    ['list API keys', 'GET', () => inTeam('/api-keys'), undefined, [200, 200, 200, 403]],
    [
      'create an API key',
      'POST',
      () => inTeam('/api-keys'),
      () => ({ name: 'k', role: 'nobody' }),
      [400, 400, 400, 403],
    ],
    ['remove a non-member', 'DELETE', () => inTeam('/memberships/nobody'), undefined, [404, 404, 403, 403]],
    ['read another workspace', 'GET', () => unknown, undefined, [404, 404, 404, 404]],
  ];

  it.each(rows)('%s', async (_what, method, path, body, expected) => {
    const people = [owner, admin, developer, viewer];
    const statuses = [];
    for (const { token } of people) {
      const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-ID': team };
      const isDirect = path().startsWith('/v1alpha');
      const answer = await call(method, isDirect ? path() : `/workspace/v1alpha1${path()}`, {
        isAnonymous: true,
        headers: isDirect ? headers : { Authorization: headers.Authorization },
        ...compact({ body: body?.() }),
      });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual(expected);
  });

  it('only an owner can delete a workspace', async () => {
    const statuses = await Promise.all(
      [admin, developer, viewer].map(async ({ token }) => (await ask(token, 'DELETE', inTeam())).status),
    );
    expect(statuses).toEqual([403, 403, 403]);
  });
});

describe('objects of another workspace', () => {
  it('get the same response to reads and deletes as objects that do not exist', async () => {
    const stranger = await addMember(administrator, 'default', 'developer');
    const headers = { Authorization: `Bearer ${owner.token}`, 'X-Workspace-ID': team };
    const made = await call('POST', '/v1alpha/secrets', {
      isAnonymous: true,
      headers,
      body: { name: freshName('s'), type: 'note', data: 'aGk=' },
    });
    expect(made.status).toBe(201);
    const nobody = '00000000-0000-4000-8000-000000000000';
    const responseTo = async (method: string, path: string) => {
      const { status, body } = await ask(stranger.token, method, path);
      return [status, { ...body, requestId: '' }];
    };
    for (const method of ['GET', 'DELETE']) {
      const theirs = await responseTo(method, `/v1alpha/secrets/${made.body.id}`);
      expect(theirs).toEqual(await responseTo(method, `/v1alpha/secrets/${nobody}`));
      expect(theirs[0]).toBe(404);
    }
    expect(await responseTo('GET', inTeam())).toEqual(
      await responseTo('GET', `/workspaces/w${'0'.repeat(24)}`),
    );
    await removeMember(administrator, 'default', stranger);
  });
});
