import { jest } from '@jest/globals';
import { compact } from '../core/lib/compact.ts';
import { ask, dismiss, freshEmail, join, makeWorkspace, type Person, right } from './lib/accounts.ts';
import { openReplicas } from './lib/replicas.ts';
import { token as administrator, call, freshName, until } from './lib/service.ts';

jest.setTimeout(120_000);

let team: string;
let owner: Person;
let admin: Person;
let developer: Person;
let viewer: Person;

beforeAll(async () => {
  owner = await join(administrator, 'default', 'developer');
  team = await makeWorkspace(owner.token, freshName('team'));
  [admin, developer, viewer] = await Promise.all([
    join(owner.token, team, 'admin'),
    join(owner.token, team, 'developer'),
    join(owner.token, team, 'viewer'),
  ]);
});

afterAll(async () => {
  const deleted = await until(
    'the end of the workspace',
    () => ask(owner.token, 'DELETE', `/workspaces/${team}`),
    ({ status }) => status !== 409,
  );
  expect(deleted.status).toBe(204);
  await dismiss(administrator, 'default', owner);
});

const inTeam = (path = '') => `/workspaces/${team}${path}`;
const later = (ms: number) => `${new Date(Date.now() + ms).toISOString().slice(0, 19)}Z`;
const keyOf = (by: Person, body: object = {}) =>
  right(ask(by.token, 'POST', inTeam('/api-keys'), { name: 'e2e', role: 'viewer', ...body }));

describe('workspaces and members', () => {
  it('the one who makes a workspace owns it, and its members see it', async () => {
    const { items } = await right(ask(viewer.token, 'GET', inTeam('/memberships')));
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
    const { items } = await right(ask(developer.token, 'GET', '/workspaces?limit=500'));
    expect(items.map(({ id }: { id: string }) => id)).toContain(developer.personal);
    const { user } = await until(
      'the address of the default key',
      () => right(ask(developer.token, 'GET', '/me')),
      (me) => me.user.address !== undefined,
    );
    expect(user.address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    const headers = { Authorization: `Bearer ${developer.token}`, 'X-Workspace-ID': developer.personal };
    const secrets = await call('GET', '/v1alpha/secrets', { isAnonymous: true, headers });
    expect(secrets.body.items.map(({ name }: { name: string }) => name)).toContain('default-key');
  });

  it('a member’s role is changed and takes effect', async () => {
    const guest = await join(owner.token, team, 'viewer');
    const invite = () =>
      ask(guest.token, 'POST', inTeam('/invitations'), { email: freshEmail(), role: 'viewer' });
    expect((await invite()).status).toBe(403);
    await right(ask(owner.token, 'PUT', inTeam(`/memberships/${guest.userId}`), { role: 'admin' }));
    await until('the new role on every replica', invite, ({ status }) => status === 201);
    expect((await right(ask(guest.token, 'GET', '/me'))).role).toBe('admin');
    await right(ask(owner.token, 'DELETE', inTeam(`/memberships/${guest.userId}`)));
    const after = await until(
      'the end of the membership on both replicas',
      () => ask(guest.token, 'GET', inTeam()),
      ({ status }) => status !== 200,
    );
    expect([401, 404]).toContain(after.status);
  });

  it('the last owner stays', async () => {
    const { status } = await ask(owner.token, 'DELETE', inTeam(`/memberships/${owner.userId}`));
    expect(status).toBe(409);
  });
});

describe('invitations', () => {
  const invite = (body: object = {}) =>
    right(ask(owner.token, 'POST', inTeam('/invitations'), { email: freshEmail(), role: 'viewer', ...body }));
  const accept = (token: string) => ask(undefined, 'POST', '/invitations/accept', { token });
  const stateOf = async (id: string) => {
    const { items } = await right(ask(owner.token, 'GET', inTeam('/invitations?limit=500')));
    return items.find((item: { id: string }) => item.id === id)?.state;
  };

  it('are accepted once, without an account, whose first key is in the answer alone', async () => {
    const { token, id } = await invite();
    const first = await accept(token);
    expect(first.status).toBe(200);
    expect(first.body.apiKey.token).toMatch(/^[^.]+\.[^.]+$/);
    expect((await accept(token)).status).toBe(409);
    expect(await stateOf(id)).toBe('Accepted');
  });

  it('are worthless once revoked', async () => {
    const { token, id } = await invite();
    expect((await ask(owner.token, 'DELETE', inTeam(`/invitations/${id}`))).status).toBe(204);
    expect((await accept(token)).status).toBe(409);
    expect(await stateOf(id)).toBe('Revoked');
  });

  it('expire when they say', async () => {
    const { token, id } = await invite({ expiresAt: later(3_000) });
    await until(
      'the expiry',
      () => stateOf(id),
      (state) => state === 'Expired',
    );
    expect((await accept(token)).status).toBe(409);
    const past = await ask(owner.token, 'POST', inTeam('/invitations'), {
      ...{ email: freshEmail(), role: 'viewer', expiresAt: later(-60_000) },
    });
    expect([past.status, past.body.details[0].path]).toEqual([400, 'expiresAt']);
  });
});

describe('API keys', () => {
  it('show their secret once, and open in both forms', async () => {
    const key = await keyOf(developer);
    const pair = { 'X-API-Key-ID': key.id, 'X-API-Key-Secret': key.secret };
    const byPair = await call('GET', '/workspace/v1alpha1/me', { isAnonymous: true, headers: pair });
    const byToken = await ask(key.token, 'GET', '/me');
    expect([byPair.body.apiKeyID, byToken.body.apiKeyID]).toEqual([key.id, key.id]);
    const both = { ...pair, Authorization: `Bearer ${developer.token}` };
    expect((await call('GET', '/workspace/v1alpha1/me', { isAnonymous: true, headers: both })).status).toBe(
      401,
    );
    const list = await right(ask(developer.token, 'GET', inTeam('/api-keys?limit=500')));
    expect(list.items.map(({ id }: { id: string }) => id)).toContain(key.id);
    expect(JSON.stringify(list)).not.toContain(key.secret);
  });

  it('tell of their last use', async () => {
    const key = await keyOf(developer);
    await right(ask(key.token, 'GET', '/me'));
    const used = await until(
      'the last use',
      async () => {
        const { items } = await right(ask(developer.token, 'GET', inTeam('/api-keys?limit=500')));
        return items.find(({ id }: { id: string }) => id === key.id);
      },
      ({ lastUsedAt }) => lastUsedAt !== undefined,
    );
    expect(Math.abs(Date.parse(used.lastUsedAt) - Date.now())).toBeLessThan(120_000);
  });

  it('are narrower than their role when made so', async () => {
    const key = await keyOf(developer, { role: 'developer', permissions: ['networks:read', 'account:read'] });
    expect((await ask(key.token, 'GET', '/v1alpha/networks')).status).toBe(200);
    expect((await ask(key.token, 'GET', '/v1alpha/secrets')).status).toBe(403);
    const wider = await ask(key.token, 'POST', inTeam('/api-keys'), { name: 'x', role: 'viewer' });
    expect(wider.status).toBe(403);
  });

  it('end when they say', async () => {
    const key = await keyOf(developer, { expiresAt: later(4_000) });
    expect((await ask(key.token, 'GET', '/me')).status).toBe(200);
    await until(
      'the expiry',
      () => ask(key.token, 'GET', '/me'),
      ({ status }) => status === 401,
    );
  });

  it('are worth nothing on any replica once revoked', async () => {
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
      // The other replicas hear of it by their watch.
      const isOver = (found: number[]) => found.every((status) => status === 401);
      await until('the end of the key on every replica', statuses, isOver, 2_000);
      const body = { isAnonymous: true, headers };
      for (let i = 0; i < 20; i += 1) expect((await call('GET', '/v1alpha/networks', body)).status).toBe(401);
    } finally {
      for (const replica of replicas) replica.close();
    }
  });
});

describe('what each role may do', () => {
  const network = { name: 'never-made' };
  const secret = () => ({ name: freshName('s'), type: 'note', data: 'aGk=' });
  const guest = () => ({ email: freshEmail(), role: 'viewer' });
  const unknown = '/workspaces/x/memberships';
  type Row = [string, string, () => string, (() => object) | undefined, number[]];
  /** Answers to the owner, the admin, the developer, the viewer. A body that is wrong in itself makes nothing. */
  const rows: Row[] = [
    ['list networks', 'GET', () => '/v1alpha/networks', undefined, [200, 200, 200, 200]],
    ['create a network', 'POST', () => '/v1alpha/networks', () => network, [400, 400, 400, 403]],
    ['list secrets', 'GET', () => '/v1alpha/secrets', undefined, [200, 200, 200, 200]],
    ['create a secret', 'POST', () => '/v1alpha/secrets', secret, [201, 201, 201, 403]],
    ['see the workspace', 'GET', () => inTeam(), undefined, [200, 200, 200, 200]],
    ['change the workspace', 'PUT', () => inTeam(), () => ({ name: 'Not_a_name' }), [400, 400, 403, 403]],
    ['see members', 'GET', () => inTeam('/memberships'), undefined, [200, 200, 200, 200]],
    ['invite', 'POST', () => inTeam('/invitations'), guest, [201, 201, 403, 403]],
    ['see invitations', 'GET', () => inTeam('/invitations'), undefined, [200, 200, 403, 403]],
    ['see API keys', 'GET', () => inTeam('/api-keys'), undefined, [200, 200, 200, 403]],
    [
      'make an API key',
      'POST',
      () => inTeam('/api-keys'),
      () => ({ name: 'k', role: 'nobody' }),
      [400, 400, 400, 403],
    ],
    ['remove a stranger', 'DELETE', () => inTeam('/memberships/nobody'), undefined, [404, 404, 403, 403]],
    ['look elsewhere', 'GET', () => unknown, undefined, [404, 404, 404, 404]],
  ];

  it.each(rows)('%s', async (_what, method, path, body, expected) => {
    const people = [owner, admin, developer, viewer];
    const statuses = [];
    for (const { token } of people) {
      const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-ID': team };
      const isDirect = path().startsWith('/v1alpha');
      const answer = await call(method, isDirect ? path() : `/workspace/v1alpha1${path()}`, {
        ...{ isAnonymous: true, headers: isDirect ? headers : { Authorization: headers.Authorization } },
        ...compact({ body: body?.() }),
      });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual(expected);
  });

  it('only an owner deletes a workspace', async () => {
    const statuses = await Promise.all(
      [admin, developer, viewer].map(async ({ token }) => (await ask(token, 'DELETE', inTeam())).status),
    );
    expect(statuses).toEqual([403, 403, 403]);
  });
});

describe('another workspace’s objects', () => {
  it('are as unknown as what does not exist, to read, change and delete', async () => {
    const stranger = await join(administrator, 'default', 'developer');
    const headers = { Authorization: `Bearer ${owner.token}`, 'X-Workspace-ID': team };
    const made = await call('POST', '/v1alpha/secrets', {
      ...{ isAnonymous: true, headers, body: { name: freshName('s'), type: 'note', data: 'aGk=' } },
    });
    expect(made.status).toBe(201);
    const nobody = '00000000-0000-4000-8000-000000000000';
    const wordsOf = async (method: string, path: string) => {
      const { status, body } = await ask(stranger.token, method, path);
      return [status, { ...body, requestId: '' }];
    };
    for (const method of ['GET', 'DELETE']) {
      const theirs = await wordsOf(method, `/v1alpha/secrets/${made.body.id}`);
      expect(theirs).toEqual(await wordsOf(method, `/v1alpha/secrets/${nobody}`));
      expect(theirs[0]).toBe(404);
    }
    expect(await wordsOf('GET', inTeam())).toEqual(await wordsOf('GET', `/workspaces/w${'0'.repeat(24)}`));
    await dismiss(administrator, 'default', stranger);
  });
});
