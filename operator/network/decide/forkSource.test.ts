import { withoutForkSource } from './podState.ts';

const messages: [string, string, string][] = [
  [
    'the URL as configured',
    'https://m.example/v2/KEY12345',
    'cannot reach https://m.example/v2/KEY12345: no',
  ],
  ['a path without the host', 'https://m.example/v2/KEY12345', 'GET /v2/KEY12345 at m.example failed'],
  ['a query', 'https://m.example/?apikey=KEY12345', 'https://m.example/?apikey=KEY12345 failed'],
  ['a password', 'https://user:KEY12345@m.example/', 'KEY12345 was refused by m.example'],
];

it.each(messages)('hides %s', (_reason, source, message) => {
  const state = withoutForkSource({ phase: 'failed', message }, source);
  expect(state.message).not.toContain('KEY12345');
  expect(state.message).toContain('[fork source]');
  expect(state.phase).toBe('failed');
});

it('keeps URLs that are not the fork source', () => {
  const state = { phase: 'failed', message: 'exit code 1: https://m.example/' } as const;
  expect(withoutForkSource(state, undefined)).toBe(state);
  expect(withoutForkSource(state, 'https://other.example/').message).toBe(state.message);
});
