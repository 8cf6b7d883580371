import { cut } from './foreignText.ts';
import { withoutTexts, withoutUrl } from './withoutTexts.ts';

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

it('hides what a cut has left of the URL', () => {
  const message = `asking ${url} failed`;
  for (let length = 16; length < message.length; length++) {
    expect(withoutUrl(cut(message, length), url)).not.toMatch(/m\.example|THE/);
  }
});

it('hides what several cuts have left, before and after each of them', () => {
  const message = `${url} … …${url.slice(20)} failed, ${url.slice(0, 30)}… and ${url.slice(0, 40)}…, …${url.slice(-20)}`;
  const hidden = withoutUrl(message, url);
  expect(hidden).toBe(
    '[fork source] … …[fork source] failed, [fork source]… and [fork source]…, …[fork source]',
  );
});

it('leaves five characters of a text, which tell nothing and would be found everywhere', () => {
  expect(withoutTexts('a-sec… and …-text', ['a-secret-text'], '[secret]')).toBe('a-sec… and …-text');
  expect(withoutTexts('a-secr… and …t-text', ['a-secret-text'], '[secret]')).toBe('[secret]… and …[secret]');
});

it('hides texts, also those that a cut has divided', () => {
  const texts = ['a-secret-text', 'another-secret-text'];
  expect(withoutTexts('a-secret-text and another-secr…', texts, '[secret]')).toBe('[secret] and [secret]…');
});
