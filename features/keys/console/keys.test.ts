import { emptyKeyForm, toKeyBody } from './form.ts';

const nowMs = Date.parse('2031-01-01T00:00:00Z');

test.each([
  ['a key for all methods that does not expire', { name: ' ci ', hours: 0 }, { name: 'ci' }],
  [
    'a key for a day and a few methods',
    { name: 'ci', hours: 24, methods: 'eth_call, eth_get*,' },
    { name: 'ci', expiresAt: '2031-01-02T00:00:00Z', methods: ['eth_call', 'eth_get*'] },
  ],
])('%s', (_what, form, body) => {
  expect(toKeyBody({ ...emptyKeyForm, ...form }, nowMs)).toEqual(body);
});
