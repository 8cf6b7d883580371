import { createHash } from 'node:crypto';
import { operationIds } from '../operations/operations.ts';
import { namedSchemas } from './components.ts';
import { el, render, text } from './docsPage/html.ts';
import { buildDocsPage } from './docsPage.ts';

const { html, contentSecurityPolicy } = buildDocsPage();

function contentOf(element: 'style' | 'script'): string {
  return html.match(new RegExp(`<${element}>([^]*?)</${element}>`))?.[1] ?? '';
}

test('loads nothing from other hosts, and sends requests to its own alone', () => {
  const addresses = [...html.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, address]) => address ?? '');
  expect(addresses.filter((address) => !/^(#[\w-]+|openapi\.json|guide\/|\.\/)$/.test(address))).toEqual([]);
  expect(html).not.toMatch(/@import|url\(|https?:\/\/[^\s"'&<]*\.js/);
  expect(contentSecurityPolicy).toContain("connect-src 'self'");
});

test('its script turns no text into markup, and its policy lets none try', () => {
  expect(contentOf('script')).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/);
  expect(contentSecurityPolicy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
});

test('a pasted API key is kept nowhere', () => {
  const stored = [...contentOf('script').matchAll(/Storage\.setItem\('([^']+)'/g)].map(([, item]) => item);
  expect(stored).toEqual(['slipway-docs-language']);
});

test.each(['style', 'script'] as const)('its policy lets its own %s run and nothing else', (element) => {
  const hash = createHash('sha256').update(contentOf(element)).digest('base64');
  expect(contentSecurityPolicy).toContain(`${element}-src 'sha256-${hash}'`);
  expect(contentSecurityPolicy).toContain("default-src 'none'");
});

test('shows every operation and every object', () => {
  const ids = new Set([...html.matchAll(/<details id="([^"]+)"/g)].map(([, id]) => id));
  const wanted = [...operationIds, ...Object.keys(namedSchemas).map((name) => `schema-${name}`)];
  expect(wanted.filter((id) => !ids.has(id))).toEqual([]);
});

test('every link within the page has a target', () => {
  const ids = new Set([...html.matchAll(/id="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(targets.filter((target) => !ids.has(target))).toEqual([]);
  expect(targets.length).toBeGreaterThan(50);
});

test('its script is a program', () => {
  expect(() => new Function(contentOf('script'))).not.toThrow();
});

test('text and attributes are escaped', () => {
  const markup = render(el('a', { href: '"><script>' }, [text('<b> & \'"')]));
  expect(markup).toBe('<a href="&quot;&gt;&lt;script&gt;">&lt;b&gt; &amp; &#39;&quot;</a>');
});

test('says how to sign in, and has a command for every operation', () => {
  expect(html).toContain('<h2>Credentials</h2>');
  const commands = [...html.matchAll(/<pre>curl [^<]*<\/pre>/g)].map(([command]) => command);
  expect(commands).toHaveLength(operationIds.length);
  expect(commands.filter((command) => command.includes('SLIPWAY_API_KEY')).length).toBeGreaterThan(30);
});

test('every operation can be tried, and has the command line and the client beside curl', () => {
  const count = (pattern: RegExp) => [...html.matchAll(pattern)].length;
  expect(count(/<div class="tryit" /g)).toBe(operationIds.length);
  expect(count(/<pre>slipway api /g)).toBe(operationIds.length);
  expect(html).toContain('<pre>const answer = await client.networks.create({');
  expect(html).toContain('client.networks.listAll()');
});

test('what scrolls stays below the header', () => {
  expect(contentOf('style')).toMatch(/header\{[^}]*z-index:1/);
});
