import { escapeHtml } from '../../core/lib/text/escapeHtml.ts';
import { contents } from './contents.ts';
import type { Page } from './pages.ts';

export const isDecision = ({ document }: Page): boolean => document.startsWith('decisions/');
/** The name of the page that lists the decisions. */
export const decisionsName = 'decisions';

interface Group {
  title: string;
  pages: Pick<Page, 'name' | 'title'>[];
}

/** The groups of the index. Throws for a document that no group has, and for one that does not exist. */
export function indexOf(pages: readonly Page[]): Group[] {
  const left = new Map(pages.map((page) => [page.document, page]));
  const take = (document: string): Page => {
    const page = left.get(document);
    if (!page) throw new Error(`hack/guide/contents.ts names docs/${document}.md, which does not exist`);
    left.delete(document);
    return page;
  };
  const groups: Group[] = contents.map(({ title, documents }) => ({ title, pages: documents.map(take) }));
  const other = [...left.values()].find((page) => !isDecision(page));
  if (other) throw new Error(`docs/${other.document}.md is in no group of hack/guide/contents.ts`);
  groups.at(-1)?.pages.push({ name: decisionsName, title: 'Decisions' });
  return groups;
}

interface Shell {
  title: string;
  body: string;
  index: readonly Group[];
  /** The name of the page. */
  current: string;
  version: string;
}

/** A whole page. It loads the script and the style of the guide, and nothing else. */
export function layOut({ title, body, index, current, version }: Shell): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Slipway</title><link rel="stylesheet" href="guide.css"><script src="guide.js" defer></script></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header><a href="../">Console</a><a class="home" href="./">Slipway documentation</a>
<search><input id="search" type="search" placeholder="Search ( / )" aria-label="Search the documentation" autocomplete="off" aria-controls="found"><nav id="found" aria-label="Results" hidden></nav></search>
<a href="../docs">API reference</a></header>
<div class="layout"><nav class="index" aria-label="Documents">${index.map((group) => groupHtml(group, current)).join('')}</nav>
<main id="content" tabindex="-1">${body}<footer>Slipway ${escapeHtml(version)}</footer></main></div></body></html>
`;
}

function groupHtml({ title, pages }: Group, current: string): string {
  const isOpen = pages.some(({ name }) => name === current);
  const items = pages.map(
    ({ name, title: text }) =>
      `<li><a href="${name}"${name === current ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a></li>`,
  );
  return `<details${isOpen ? ' open' : ''}><summary>${title}</summary><ul>${items.join('')}</ul></details>`;
}

/** The page at the root of the guide: all documents, by group. */
export function homeBody(index: readonly Group[]): string {
  const groups = index.map(({ title, pages }) => `<section><h2>${title}</h2>${listOf(pages)}</section>`);
  return `<h1>Slipway documentation</h1><p>Networks, secrets, tokens and transactions, in your own Kubernetes. Every page is part of this installation and describes its version.</p><div class="groups">${groups.join('')}</div>`;
}

export const decisionsBody = (pages: readonly Page[]): string =>
  `<h1>Decisions</h1><p>Why Slipway is as it is: one page each.</p>${listOf(pages.filter(isDecision))}`;

const listOf = (pages: Group['pages']) =>
  `<ul>${pages.map(({ name, title }) => `<li><a href="${name}">${escapeHtml(title)}</a></li>`).join('')}</ul>`;

export const missingBody =
  '<h1>Page not found</h1><p>There is no such page. Search, or choose one from the index.</p>';
