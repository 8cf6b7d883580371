import { rolesUpTo } from '../../lib/roles.ts';
import { invitationLink } from '../members/invitationLink.ts';
import { emptyApiKeyForm, keySnippets, toKeyBody } from './form.ts';

const now = Date.parse('2030-01-01T00:00:00.500Z');

test('a key ends when it was chosen to, and one without an end has no time', () => {
  expect(toKeyBody({ ...emptyApiKeyForm, name: ' ci ', hours: 24 }, now)).toEqual({
    name: 'ci',
    role: 'developer',
    expiresAt: '2030-01-02T00:00:00Z',
  });
  expect(toKeyBody({ ...emptyApiKeyForm, name: 'ci', hours: 0 }, now)).not.toHaveProperty('expiresAt');
});

test('a restricted key has exactly the chosen permissions, in the snippets too', () => {
  const form = {
    ...emptyApiKeyForm,
    name: 'ci',
    isRestricted: true,
    permissions: ['networks:read'],
    hours: 24,
  };
  const body = toKeyBody(form, now);
  expect(body.permissions).toEqual(['networks:read']);
  const [, cli] = keySnippets('ws-1', form, body);
  expect(cli?.text).toBe(
    'slipway key create ci --role developer --permission networks:read --expires-after 24h',
  );
});

test.each([
  ['owner', ['owner', 'admin', 'developer', 'viewer']],
  ['developer', ['developer', 'viewer']],
  ['one that is added later', []],
])('%s can give %j', (role, expected) => {
  expect(rolesUpTo(role)).toEqual(expected);
});

test('the token of an invitation is where browsers send it to nobody', () => {
  const { hash, pathname, search } = new URL(invitationLink('https://slipway.example', 'i-1.secret'));
  expect([pathname.includes('secret'), search, hash]).toEqual([false, '', '#i-1.secret']);
});
