import { withoutUrl } from './withoutUrl.ts';

const url = 'https://m.example/v2/THE-KEY-OF-THE-PROVIDER';

it.each([
  ['the URL', url],
  ['its path', 'GET /v2/THE-KEY-OF-THE-PROVIDER failed'],
  ['a long segment of its path, which is the key', 'the key THE-KEY-OF-THE-PROVIDER is not valid'],
])('hides %s', (_what, message) => {
  expect(withoutUrl(message, url)).not.toContain('KEY');
});

it('keeps words that are short segments of the path', () => {
  expect(withoutUrl('mainnet is away', 'https://m.example/mainnet/THE-KEY-OF-THE-PROVIDER')).toBe(
    'mainnet is away',
  );
});
