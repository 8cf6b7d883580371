import { dirname, join, normalize } from 'node:path/posix';
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../../core/lib/text/escapeHtml.ts';
import { anchorOf, nameOf, type Page } from './pages.ts';

/** Where the files of docs are that pages show or offer, and the pages. */
export interface Targets {
  documents: ReadonlySet<string>;
  files: ReadonlySet<string>;
}

/** Files of docs that pages name, by their paths below docs. */
export interface Rendered {
  html: string;
  files: string[];
}

/** The HTML of a document. What it links to outside of the documentation is not here, and stays as text. */
export function renderPage({ document, markdown }: Page, targets: Targets): Rendered {
  const files: string[] = [];
  const addressOf = (link: string) => {
    const address = resolve(link, dirname(document), targets);
    if (address?.file !== undefined) files.push(address.file);
    return address?.href;
  };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const anchor = anchorOf(text);
        const label = `Link to ${escapeHtml(text.replaceAll('`', ''))}`;
        const link = `<a class="anchor" href="#${anchor}" aria-label="${label}">#</a>`;
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}${depth > 1 ? link : ''}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const address = addressOf(href);
        const inner = this.parser.parseInline(tokens);
        return address === undefined ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
      },
      image({ href, text }) {
        const address = addressOf(href);
        return address === undefined ? '' : `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}">`;
      },
      code: ({ text, lang = '' }: Tokens.Code) =>
        `<div class="copyable"><pre tabindex="0"><code data-language="${escapeHtml(lang)}">${escapeHtml(text)}</code></pre></div>\n`,
      table(token) {
        const cell = (name: 'th' | 'td', { tokens }: Tokens.TableCell) =>
          `<${name}>${this.parser.parseInline(tokens)}</${name}>`;
        const row = (name: 'th' | 'td', cells: Tokens.TableCell[]) =>
          `<tr>${cells.map((one) => cell(name, one)).join('')}</tr>\n`;
        const body = token.rows.map((cells) => row('td', cells)).join('');
        return `<div class="scroll" tabindex="0"><table><thead>${row('th', token.header)}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return { html: marked.parse(markdown, { async: false }), files };
}

interface Address {
  href: string;
  file?: string;
}

function resolve(link: string, folder: string, { documents, files }: Targets): Address | undefined {
  if (/^https?:/.test(link) || link.startsWith('#')) return { href: link };
  const [path = '', anchor] = link.split('#');
  const file = normalize(join(folder, path));
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  if (file === 'openapi.json') return { href: '../openapi.json' };
  if (file === 'decisions') return { href: 'decisions' };
  const document = file.replace(/\.md$/, '');
  if (file.endsWith('.md') && documents.has(document)) return { href: `${nameOf(document)}${suffix}` };
  return files.has(file) ? { href: nameOf(file), file } : undefined;
}
