import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A document, as a page of the installation. */
export interface Page {
  /** Its path below docs, without its ending. */
  document: string;
  /** The last part of its address. */
  name: string;
  title: string;
  markdown: string;
}

/** All documents below a folder, by their paths. */
export function readPages(docs: string): Page[] {
  return globSync('**/*.md', { cwd: docs })
    .sort()
    .map((file) => pageOf(file.replace(/\.md$/, ''), readFileSync(join(docs, file), 'utf8')));
}

function pageOf(document: string, text: string): Page {
  const markdown = text.replace(/<!--.*?-->\n*/gs, '');
  const [, title = document] = /^# (.+)$/m.exec(markdown) ?? [];
  return { document, name: nameOf(document), title: title.replaceAll('`', ''), markdown };
}

/** All pages are in one folder, so that they link to each other below any prefix of the address. */
export const nameOf = (path: string): string => path.replaceAll('/', '-');

/** The anchor that GitHub gives to a heading. */
export function anchorOf(heading: string): string {
  const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/ /g, '-');
}
