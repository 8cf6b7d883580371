import {
  type AccountsApi,
  accountsApiOver,
  admin,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import { eventually } from '../../../../apiserver/testing/eventually.ts';
import type { Mailer } from '../../../../apiserver/workspaces/invitations/mail/mailer.ts';
import { invitationType } from '../../../../core/api/resources/resources.ts';
import { settle } from '../../../../core/kube/testing/settle.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { mailerAt } from './testing/mailerAt.ts';
import { type MailServer, startMailServer } from './testing/mailServer.ts';

const namespace = 'slipway-system';
const list = '/workspaces/default/invitations';
let server: MailServer;
afterEach(() => server.close());

const plainOf = (raw: string) => raw.replace(/=\r?\n/g, '').replace(/=3D/g, '=');
const tokenIn = (raw: string) => /accept#(i[0-9a-f]{24}\.[\w-]{43})/.exec(plainOf(raw))?.[1] ?? '';

describe('invitations', () => {
  const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
  let world: AccountsApi;
  beforeEach(async () => {
    server = await startMailServer();
    world = await startAccountsApi({ clock, signIn: { mailer: mailerAt(server) } });
  });
  afterEach(() => world.api.close());

  const invite = (email = 'ada@example.com') => world.post(admin, list, { email, role: 'developer' });
  const deliveryOf = async (id: string) => {
    const { items } = await world.get(admin, list);
    return items.find((one: { id: string }) => one.id === id).delivery;
  };
  const until = (id: string, state: string) =>
    eventually(
      () => deliveryOf(id),
      (delivery) => delivery?.state === state,
    );

  test('are mailed, and opening the link proves the address', async () => {
    const { id } = await invite('Ada@Example.com');
    await until(id, 'Sent');
    const [mail] = server.received;
    expect(mail).toMatchObject({ from: 'slipway@example.com', to: ['Ada@example.com'] });
    expect(mail?.raw).toContain('Subject: Invitation to the workspace default');
    const token = tokenIn(mail?.raw ?? '');
    const offer = await world.ask(null, '/invitations/look-up', { body: { token } });
    expect(offer.json).toMatchObject({ email: 'Ada@Example.com', emailVerified: true });
    const joined = await world.ask(null, '/invitations/accept', { body: { token } });
    expect(joined.json).toMatchObject({ email: 'ada@example.com', emailVerified: true });
  });

  test('can be handed over as well, which proves nothing', async () => {
    const { id, token } = await invite();
    await until(id, 'Sent');
    expect(tokenIn(server.received[0]?.raw ?? '')).not.toBe(token);
    const joined = await world.ask(null, '/invitations/accept', { body: { token } });
    expect(joined.json).toMatchObject({ emailVerified: false });
  });

  test('prove the address of a user who has the same and joins with the mail', async () => {
    const ada = await world.join('ada@example.com', 'developer');
    const { id } = await world.post(admin, '/workspaces', { name: 'other' });
    await world.post(admin, `/workspaces/${id}/invitations`, { email: 'ada@example.com', role: 'viewer' });
    const toOther = () => server.received.find(({ raw }) => raw.includes('workspace other'));
    const mail = await eventually(
      async () => toOther(),
      (found) => found !== undefined,
    );
    const token = tokenIn(mail?.raw ?? '');
    const joined = await world.ask(ada.token, '/invitations/accept', { body: { token } });
    expect([joined.status, joined.json]).toMatchObject([200, { emailVerified: true }]);
    expect((await world.get(ada.token, '/me')).user.emailVerified).toBe(true);
  });

  test('wait for a server that is busy, and say why', async () => {
    server.refuse(451);
    const { id } = await invite();
    await until(id, 'Retrying');
    expect(await deliveryOf(id)).toMatchObject({ attempts: 1, error: expect.stringContaining('mailbox') });
    server.refuse(undefined);
    clock.advance(30_000);
    await until(id, 'Sent');
    expect((await deliveryOf(id)).attempts).toBe(2);
  });

  test('are given up when the server refuses the address for good', async () => {
    server.refuse(550);
    const { id } = await invite();
    await until(id, 'Failed');
    clock.advance(86_400_000);
    expect(await deliveryOf(id)).toMatchObject({ state: 'Failed', attempts: 1 });
  });

  test('are given up after twelve attempts', async () => {
    server.refuse(451);
    const { id } = await invite();
    for (let attempt = 1; attempt < 12; attempt += 1) {
      await eventually(
        () => deliveryOf(id),
        (delivery) => delivery.state === 'Retrying' && delivery.attempts === attempt,
      );
      clock.advance(3_600_000);
    }
    await until(id, 'Failed');
  });

  test('are sent by another replica if the one that was sending died', async () => {
    const { id } = await invite();
    await until(id, 'Sent');
    const stored = await world.kube.get(invitationType, { namespace, name: id });
    const delivery = { state: 'Sending', attempts: 1, updatedAt: '2030-01-01T00:00:00Z' } as const;
    if (stored) await world.kube.patch(invitationType, stored.metadata, { status: { delivery } }, 'status');
    clock.advance(120_000);
    await until(id, 'Sent');
    expect(server.received).toHaveLength(2);
    expect((await deliveryOf(id)).attempts).toBe(2);
  });

  test('keep what a member asked for when a replica that was taken for dead reports late', async () => {
    const late = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    let sent = 0;
    const slow: Mailer = {
      async send() {
        sent += 1;
        isHeld.resolve();
        if (sent === 1) await late.promise;
        return { isSent: true };
      },
    };
    await world.api.close();
    world = await startAccountsApi({ clock, signIn: { mailer: slow } });
    const { id } = await invite();
    await isHeld.promise;
    clock.advance(120_000);
    const other = await accountsApiOver(world.kube, { clock, signIn: { mailer: mailerAt(server) } });
    await until(id, 'Sent');
    clock.advance(60_000);
    expect((await world.ask(admin, `${list}/${id}/resend`, { method: 'POST' })).status).toBe(200);
    const resends = async () => {
      const stored = await world.kube.get(invitationType, { namespace, name: id });
      return stored?.status?.delivery?.resends;
    };
    expect(await resends()).toBe(1);
    await eventually(
      async () => server.received.length,
      (count) => count === 2,
    );
    await until(id, 'Sent');
    late.resolve();
    await settle();
    expect(await resends()).toBe(1);
    await other.api.close();
  });

  test('are sent by one of several replicas', async () => {
    const replica = await accountsApiOver(world.kube, { clock, signIn: { mailer: mailerAt(server) } });
    const ids = await Promise.all([1, 2, 3].map(async (n) => (await invite(`x${n}@example.com`)).id));
    for (const id of ids) await until(id, 'Sent');
    expect(server.received).toHaveLength(3);
    await replica.api.close();
  });

  test('can be mailed again with the same link, five times, once a minute', async () => {
    const { id } = await invite();
    const resend = () => world.ask(admin, `${list}/${id}/resend`, { method: 'POST' });
    await until(id, 'Sent');
    const { status, headers } = await resend();
    expect([status, headers.get('Retry-After')]).toEqual([429, '60']);
    for (let time = 1; time <= 5; time += 1) {
      clock.advance(60_000);
      const again = await resend();
      expect([again.status, again.json.delivery.state]).toEqual([200, 'Pending']);
      expect((await resend()).status).toBeLessThan(430);
      await eventually(
        async () => server.received.length,
        (count) => count === 1 + time,
      );
      await until(id, 'Sent');
    }
    const links = server.received.map(({ raw }) => tokenIn(raw));
    expect(new Set(links).size).toBe(1);
    clock.advance(60_000);
    const last = await resend();
    expect([last.status, last.json.message]).toEqual([409, expect.stringContaining('maximum')]);
  });

  test('that were given up are mailed again', async () => {
    server.refuse(550);
    const { id } = await invite();
    await until(id, 'Failed');
    server.refuse(undefined);
    clock.advance(60_000);
    expect((await world.ask(admin, `${list}/${id}/resend`, { method: 'POST' })).status).toBe(200);
    await until(id, 'Sent');
    expect(await deliveryOf(id)).toMatchObject({ attempts: 1 });
  });

  test('are mailed again by nobody who may not invite, in no other workspace, and not once they are settled', async () => {
    const { id } = await invite();
    await until(id, 'Sent');
    clock.advance(60_000);
    const dev = await world.join('dev@example.com', 'developer');
    expect((await world.ask(dev.token, `${list}/${id}/resend`, { method: 'POST' })).status).toBe(403);
    const { id: other } = await world.post(admin, '/workspaces', { name: 'other' });
    const elsewhere = `/workspaces/${other}/invitations/${id}/resend`;
    expect((await world.ask(admin, elsewhere, { method: 'POST' })).status).toBe(404);
    await world.ask(admin, `${list}/${id}`, { method: 'DELETE' });
    const { status, json } = await world.ask(admin, `${list}/${id}/resend`, { method: 'POST' });
    expect([status, json.message]).toEqual([409, expect.stringContaining('revoked')]);
  });

  test('that are revoked meanwhile are not sent', async () => {
    server.refuse(451);
    const { id } = await invite();
    await until(id, 'Retrying');
    server.refuse(undefined);
    await world.ask(admin, `${list}/${id}`, { method: 'DELETE' });
    clock.advance(30_000);
    const { id: next } = await invite('next@example.com');
    await until(next, 'Sent');
    expect(server.received.map(({ to }) => to)).toEqual([['next@example.com']]);
    expect(await deliveryOf(id)).toMatchObject({ state: 'Retrying', attempts: 1 });
  });
});

test('without a mail server, an invitation says nothing about a mail', async () => {
  server = await startMailServer();
  const world = await startAccountsApi();
  const { id, delivery } = await world.post(admin, list, { email: 'ada@example.com', role: 'viewer' });
  expect(delivery).toBeUndefined();
  const { status, json } = await world.ask(admin, `${list}/${id}/resend`, { method: 'POST' });
  expect([status, json.message]).toEqual([409, expect.stringContaining('no mail server')]);
  await world.api.close();
});
