import { consoleText } from './console.ts';

test('the link is on a line of its own, below the address that it is for', () => {
  expect(consoleText('http://127.0.0.1:8080', 'http://localhost:8080/sign-in#l1.secret')).toBe(
    'Console: http://localhost:8080 — sign in once with this link, within 15 minutes:\n  http://localhost:8080/sign-in#l1.secret',
  );
});

test('without a link the address is enough', () => {
  expect(consoleText('http://127.0.0.1:8080', undefined)).toBe('Console: http://127.0.0.1:8080');
});
