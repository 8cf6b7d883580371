import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of the console itself, and of features. */
const files = ['**/*.{ts,tsx}', '../../features/*/console/**/*.{ts,tsx}'].flatMap((pattern) =>
  globSync(pattern, { cwd: import.meta.dirname }).filter((file) => !file.includes('.test.')),
);
const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

/** Requests whose answer has a secret that nothing shows again. */
const makes = /\.(apiKeys|invitations|webhooks)\s*\.create\(|\.(rotateSecret|createLink)\(/;

it('the page is kept while a secret is made that is shown once', () => {
  const makers = files.filter((file) => makes.test(textOf(file))).sort();
  expect(makers).toEqual([
    '../../features/webhooks/console/NewWebhook.tsx',
    '../../features/webhooks/console/useWebhookActions.ts',
    'pages/apiKeys/NewApiKey.tsx',
    'pages/members/Invite.tsx',
  ]);
  const keeping = /useKeepPage\(isBusy\)|showsOnce: true/;
  expect(makers.filter((file) => !keeping.test(textOf(file)))).toEqual([]);
});

it('the page is kept while such a secret is shown', () => {
  expect(textOf('ui/code/OnceSecret.tsx')).toContain('useKeepPage(true)');
});

it('a page that is kept does not change because somebody signs in or out in another tab', () => {
  expect(textOf('ui/keepOpen.ts')).toContain('isKept ? keep() : undefined');
});
