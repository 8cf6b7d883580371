import { admin } from '../../../apiserver/testing/accountsApi.ts';
import { accounts, by, there, type Walk } from '../../../apiserver/testing/walk.ts';
import type { OperationId } from '../../../core/api/operations/operations.ts';
import { ownPage } from './sessions.ts';

/** What one replica acknowledges is in the next answer of another. */
export const walks = {
  async 'passwords, and sessions that are signed in, listed and ended'({
    write,
    change,
    seen,
    seenBy,
    answer,
  }: Walk) {
    const password = 'correct horse battery';
    const isSetAt = async () => (await seenBy(admin, '/password')).json.isSet;
    await write(
      'replacePassword',
      `${accounts}/password`,
      by(admin, { body: { email: 'ops@example.com', password } }),
    );
    expect(await isSetAt()).toBe(true);
    const link = (await change('createSignInLink', '/sign-in-links')).json.url;
    const signedIn: [OperationId, string, object][] = [
      ['createSession', '/sessions', { apiKey: admin }],
      ['signInWithPassword', '/sign-in/password', { email: 'ops@example.com', password }],
      ['signInWithLink', '/sign-in/link', { token: new URL(link).hash.slice(1) }],
    ];
    for (const [id, path, body] of signedIn) {
      const opened = await write(id, `${accounts}${path}`, { as: null, body, headers: ownPage });
      const Cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const shown = async () => [
        (await answer(`${accounts}/me`, { as: null, headers: { ...ownPage, Cookie } })).status,
        (await seen('/sessions')).some((one) => one.id === opened.json.id),
      ];
      expect(await shown()).toEqual(there);
      await change('deleteSession', `/sessions/${opened.json.id}`);
      expect(await shown()).toEqual([401, false]);
    }
    await change('deletePassword', '/password');
    expect(await isSetAt()).toBe(false);
  },
  async 'keys of devices, approved and denied'({ change, seenBy, answer }: Walk) {
    const asked = async () =>
      (await change('createDeviceSignIn', '/device-sign-ins', { name: 'box' }, null)).json;
    const isDenied = async (deviceCode: string) =>
      (await answer(`${accounts}/device-sign-ins/poll`, by(null, { body: { deviceCode } }))).json.state;
    const denied = await asked();
    await change('denyDeviceSignIn', '/device-sign-ins/deny', { userCode: denied.userCode });
    expect(await isDenied(denied.deviceCode)).toBe('Denied');
    const { userCode, deviceCode } = await asked();
    const approval = { userCode, name: 'box', role: 'developer' };
    await change('approveDeviceSignIn', '/workspaces/default/device-sign-ins', approval);
    const { token } = (await change('createDeviceApiKey', '/device-sign-ins/api-key', { deviceCode }, null))
      .json;
    expect((await seenBy(token, '/me')).status).toBe(200);
  },
};

/** What they store is in no cache, or they are one of the operations above. */
export const notWalked = {
  createIdentityAttempt: 'stores nothing: the attempt is in a cookie',
  createOidcAttempt: 'stores nothing: the attempt is in a cookie',
  createOidcSession: 'opens a session as the others do',
  createIdentity: 'identities are read live',
  createIdentityChallenge: 'stores nothing',
  deleteIdentity: 'identities are read live',
  createWalletChallenge: 'stores nothing',
  createWalletSession: 'opens a session as the others do',
  createPasskey: 'passkeys are read live',
  replacePasskey: 'passkeys are read live',
  deletePasskey: 'passkeys are read live',
  signInWithPasskey: 'opens a session as the others do',
};
