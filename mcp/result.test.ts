import { resultText } from './result.ts';

it('keys, tokens and the data of secrets are hidden; names, and the data of calls and logs, are not', () => {
  const stored = {
    name: 'k',
    data: 'rAl0vsOaF+NrpKa00jj/lEustHjL7V78rnhNe/Ty/4A=',
    privateKey: `0x${'11'.repeat(32)}`,
  };
  const inner = {
    items: [
      { token: `kfb57167d26c9.${'x'.repeat(32)}`, secret: 'whsec_x' },
      { token: 'EXM', secret: 'demo-key', data: `0x${'22'.repeat(32)}` },
    ],
  };
  expect(JSON.parse(resultText({ stored, inner }))).toEqual({
    stored: { name: 'k', data: '(hidden)', privateKey: '(hidden)' },
    inner: {
      items: [
        { token: '(hidden)', secret: '(hidden)' },
        { token: 'EXM', secret: 'demo-key', data: `0x${'22'.repeat(32)}` },
      ],
    },
  });
});

it('a long answer is cut, and says so', () => {
  const text = resultText(Array.from({ length: 50_000 }, (_one, index) => index));
  expect(text.length).toBeLessThan(25_000);
  expect(text).toMatch(/… cut: \d+ more characters/);
  expect(resultText({ log: 'x'.repeat(9_000) }).length).toBeLessThan(5_000);
});
