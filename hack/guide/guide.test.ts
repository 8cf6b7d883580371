import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildGuide } from './build.ts';
import { indexOf } from './layout.ts';
import type { Page } from './pages.ts';
import { renderPage } from './render.ts';
import { sectionsOf } from './sections.ts';

const pageOf = (document: string, markdown: string): Page => ({
  document,
  name: document.replaceAll('/', '-'),
  title: document,
  markdown,
});
const targets = { documents: new Set(['networks', 'plugins/vrf']), files: new Set(['images/list.webp']) };
const html = (markdown: string, document = 'tour') => renderPage(pageOf(document, markdown), targets).html;

it.each([
  ['[n](networks.md)', 'tour', '<a href="networks">n</a>'],
  ['[n](networks.md#stop-and-wake)', 'tour', '<a href="networks#stop-and-wake">n</a>'],
  ['[n](../networks.md)', 'plugins/vrf', '<a href="networks">n</a>'],
  ['[v](plugins/vrf.md)', 'tour', '<a href="plugins-vrf">v</a>'],
  ['[here](#below)', 'tour', '<a href="#below">here</a>'],
  ['[d](openapi.json)', 'tour', '<a href="../openapi.json">d</a>'],
  ['[code](../apiserver/main.ts)', 'tour', '<p>code</p>'],
  ['![list](images/list.webp)', 'tour', '<img src="images-list.webp" alt="list">'],
])('%s in docs/%s.md becomes %s', (markdown, document, expected) => {
  expect(html(markdown, document)).toContain(expected);
});

it('what code and headings say is text, not HTML', () => {
  expect(html('```ts\nconst a = "<b>";\n```')).toContain('const a = &quot;&lt;b&gt;&quot;;');
  expect(html('## The `a` of b')).toContain('<h2 id="the-a-of-b">The <code>a</code> of b');
});

it('a search finds the parts of a page by their headings', () => {
  const page = pageOf(
    'tour',
    '# Tour\n\nIntro.\n\n## One\n\nA [link](x.md) and `code`.\n\n#### Detail\n\nMore.\n',
  );
  expect(sectionsOf(page)).toEqual([
    { page: 'tour', title: 'tour', heading: '', anchor: '', text: 'Intro.' },
    {
      page: 'tour',
      title: 'tour',
      heading: 'One',
      anchor: 'one',
      text: 'A link and code . #### Detail More.',
    },
  ]);
});

it('a document that no group has stops the build', () => {
  expect(() => indexOf([pageOf('networks', '')])).toThrow('which does not exist');
});

describe('the built documentation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-guide-'));
  beforeAll(() => buildGuide(folder));

  it('is searched without the lists that tests write for themselves', () => {
    const sections: { page: string }[] = JSON.parse(readFileSync(join(folder, 'search.json'), 'utf8'));
    const found = new Set(sections.map(({ page }) => page));
    expect(['behaviour', 'behaviour-tests', 'patterns'].map((page) => found.has(page))).toEqual([
      true,
      false,
      false,
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
  const names = () => readdirSync(folder).filter((name) => name.endsWith('.html'));
  const fileOf = (path: string) => (/\.\w+$/.test(path) ? path : `${path}.html`);

  it('has no link that leads to nothing', () => {
    const files = new Set(readdirSync(folder));
    const broken = names().flatMap((name) => {
      const text = textOf(name);
      const links = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
      return links
        .filter((link) => !/^(https?:|\.\.\/|\.\/$)/.test(link))
        .filter((link) => {
          const [path = '', anchor] = link.split('#');
          const file = path === '' ? name : fileOf(path);
          if (!files.has(file)) return true;
          return anchor !== undefined && anchor !== 'content' && !textOf(file).includes(`id="${anchor}"`);
        })
        .map((link) => `${name}: ${link}`);
    });
    expect(broken).toEqual([]);
  });

  it('loads nothing from another host', () => {
    const loads = /<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//;
    expect(names().filter((name) => loads.test(textOf(name)))).toEqual([]);
  });
});
