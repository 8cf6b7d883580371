import { resultText, withoutAccessKey } from './result.ts';

it('keys, tokens and the data of secrets are in no answer; call data is', () => {
  const stored = {
    name: 'k',
    data: 'rAl0vsOaF+NrpKa00jj/lEustHjL7V78rnhNe/Ty/4A=',
    privateKey: `0x${'11'.repeat(32)}`,
  };
  const inner = {
    items: [{ token: 'abc', secret: 'whsec_x', data: `0x${'22'.repeat(32)}` }, { data: '0xa9059cbb' }],
  };
  expect(JSON.parse(resultText({ stored, inner }))).toEqual({
    stored: { name: 'k' },
    inner: { items: [{}, { data: '0xa9059cbb' }] },
  });
});

it('a long answer is cut, and says so', () => {
  const text = resultText(Array.from({ length: 50_000 }, (_one, index) => index));
  expect(text.length).toBeLessThan(25_000);
  expect(text).toMatch(/… cut: \d+ more characters/);
  expect(resultText({ log: 'x'.repeat(9_000) }).length).toBeLessThan(5_000);
});

it('URLs are shown without their access keys', () => {
  expect(withoutAccessKey('https://host/rpc/id/key/rpc')).toBe('https://host/rpc/id/…/rpc');
});
