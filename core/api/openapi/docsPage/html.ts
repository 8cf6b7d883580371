import { escapeHtml } from '../../../lib/text/escapeHtml.ts';

/** A piece of HTML that is safe to put into a page: only the functions below create it. */
export interface Html {
  readonly markup: string;
}

const voidElements = new Set(['input', 'meta']);

/** Text with its special characters escaped. */
export function text(content: string): Html {
  return { markup: escapeHtml(content) };
}

/** An element; the values of its attributes are escaped. */
export function el(name: string, attributes: Record<string, string>, children: readonly Html[]): Html {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
  const open = `<${name}${pairs.join('')}>`;
  return { markup: voidElements.has(name) ? open : `${open}${joinHtml(children).markup}</${name}>` };
}

export function joinHtml(parts: readonly Html[]): Html {
  return { markup: parts.map((part) => part.markup).join('') };
}

export function render(html: Html): string {
  return html.markup;
}
