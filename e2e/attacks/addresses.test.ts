import { releaseNamespace } from '../../hack/up/names.ts';
import { addMember, ask, type Person, removeMember, successBody } from '../lib/accounts.ts';
import { kubectl } from '../lib/cluster.ts';
import { token as administrator, call, freshEmail } from '../lib/service.ts';

/** What a member tries who wants to sign in under somebody else's address, or to learn whether somebody has it. */

const password = 'correct horse battery';
const evePassword = 'a password of eve';
let ada: Person;
let eve: Person;
beforeAll(async () => {
  [ada, eve] = await Promise.all([
    addMember(administrator, 'default', 'developer'),
    addMember(administrator, 'default', 'developer'),
  ]);
  await successBody(set(ada, { password }));
});
afterAll(async () => {
  for (const person of [ada, eve]) await removeMember(administrator, 'default', person);
});

function set({ token }: Person, body: object) {
  return ask(token, 'PUT', '/password', body);
}
const signIn = (email: string, given: string) =>
  call('POST', '/workspace/v1alpha1/sign-in/password', {
    isAnonymous: true,
    body: { email, password: given },
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
const said = ({ status, body }: { status: number; body: object }) => ({ status, ...body, requestId: '' });

/** An account of eve's with an address of her choice. */
async function puppetOf(email: string): Promise<Person> {
  const path = `/workspaces/${eve.personal}/invitations`;
  const { token } = await successBody(ask(eve.token, 'POST', path, { email, role: 'viewer' }));
  const { apiKey, userID } = await successBody(ask(undefined, 'POST', '/invitations/accept', { token }));
  return { email, userId: userID, token: apiKey.token, personal: eve.personal };
}

it('an address of somebody else is refused like one that nobody has', async () => {
  const taken = await set(eve, { email: ada.email, password: evePassword });
  const free = await set(eve, { email: freshEmail(), password: evePassword });
  expect([taken.status, taken.body.details]).toEqual([
    400,
    [{ path: 'email', message: expect.stringContaining('leave it out') }],
  ]);
  expect(said(free)).toEqual(said(taken));
  expect((await signIn(ada.email, evePassword)).status).toBe(401);
  expect((await signIn(ada.email, password)).body.userID).toBe(ada.userId);
});

it('a second account with an address does not learn of the first, and neither signs in to the other', async () => {
  const [second, alone] = [await puppetOf(ada.email), await puppetOf(freshEmail())];
  const [answer, other] = [
    await set(second, { password: evePassword }),
    await set(alone, { password: evePassword }),
  ];
  expect([answer.status, Object.keys(answer.body)]).toEqual([other.status, Object.keys(other.body)]);
  expect((await signIn(ada.email, evePassword)).body.userID).toBe(second.userId);
  expect((await signIn(ada.email, password)).body.userID).toBe(ada.userId);
});

it('a refused sign-in says the same, whoever has the address', async () => {
  const proven = await addMember(administrator, 'default', 'viewer');
  const displaced = await puppetOf(proven.email);
  await successBody(set(displaced, { password: evePassword }));
  expect((await signIn(proven.email, evePassword)).status).toBe(201);
  const patch = JSON.stringify({ spec: { email: proven.email, emailProof: 'mail' } });
  const user = ['users.slipway.dev', proven.userId, '--namespace', releaseNamespace];
  expect((await kubectl(['patch', ...user, '--type=merge', '-p', patch])).stderr).toBe('');
  const refusals = await Promise.all([
    signIn(proven.email, evePassword),
    signIn(freshEmail(), evePassword),
    signIn(eve.email, evePassword),
    signIn(ada.email, 'not her password'),
  ]);
  for (const refusal of refusals) {
    expect([refusal.status, refusal.headers.getSetCookie()]).toEqual([401, []]);
    expect(said(refusal)).toEqual(refusals[0] && said(refusals[0]));
  }
  await removeMember(administrator, 'default', proven);
});
