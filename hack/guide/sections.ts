import { lexer } from 'marked';
import { anchorOf, type Page } from './pages.ts';

/** A part of a page that a search finds. */
export interface Section {
  page: string;
  title: string;
  /** Empty before the first heading below the title. */
  heading: string;
  anchor: string;
  text: string;
}

/** A page by its headings of the second and third level. */
export function sectionsOf({ name, title, markdown }: Page): Section[] {
  const sections: Section[] = [{ page: name, title, heading: '', anchor: '', text: '' }];
  for (const token of lexer(markdown)) {
    if (token.type === 'heading' && token.depth === 1) continue;
    if (token.type === 'heading' && token.depth <= 3) {
      const heading = plain(token.text);
      sections.push({ page: name, title, heading, anchor: anchorOf(token.text), text: '' });
      continue;
    }
    const last = sections.at(-1);
    if (last) last.text = `${last.text} ${plain(token.raw)}`.trim();
  }
  return sections.filter(({ heading, text }) => heading !== '' || text !== '');
}

function plain(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[|\s:-]+$/gm, ' ')
    .replace(/[`*|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
