import MiniSearch from 'minisearch';
import { startTheme } from './app/theme.ts';

/** What the pages of the guide do in a browser: the theme of the console, a search over all pages, and copying of code. */

interface Section {
  page: string;
  title: string;
  heading: string;
  anchor: string;
  text: string;
}

const mostResults = 12;
const excerptLength = 140;

function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  members: Partial<HTMLElementTagNameMap[K]> = {},
  children: (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(name), members);
  element.append(...children);
  return element;
}

function offerCopies(): void {
  for (const block of document.querySelectorAll('.copyable')) {
    const button = make('button', { type: 'button', textContent: 'Copy' });
    button.addEventListener('click', () => {
      void navigator.clipboard
        .writeText(block.querySelector('code')?.textContent ?? '')
        .then(() => {
          button.textContent = 'Copied';
        })
        .catch(() => {
          button.textContent = 'Select and copy';
        });
    });
    block.append(button);
  }
}

type Find = (words: string) => Section[];

/** Loaded when somebody searches for the first time. */
async function loadSearch(): Promise<Find> {
  const response = await fetch('search.json');
  if (!response.ok) throw new Error(`search.json: ${response.status}`);
  const sections: Section[] = await response.json();
  const index = new MiniSearch<Section & { id: number }>({ fields: ['title', 'heading', 'text'] });
  index.addAll(sections.map((section, id) => ({ ...section, id })));
  const options = { prefix: true, fuzzy: 0.15, boost: { title: 4, heading: 3 }, combineWith: 'AND' as const };
  const find = index.search.bind(index);
  return (words) =>
    find(words, options)
      .slice(0, mostResults)
      .flatMap(({ id }) => sections[id] ?? []);
}

function resultOf({ page, title, heading, anchor, text }: Section): HTMLElement {
  const name = heading === '' ? title : `${title}: ${heading}`;
  const excerpt = text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text;
  const href = anchor === '' ? page : `${page}#${anchor}`;
  return make('a', { href }, [make('b', {}, [name]), make('span', {}, [excerpt])]);
}

function followSearch(input: HTMLInputElement, found: HTMLElement): void {
  let loading: Promise<Find> | undefined;
  const show = async () => {
    const words = input.value.trim();
    found.hidden = words === '';
    if (words === '') return;
    try {
      loading ??= loadSearch();
      const find = await loading;
      if (words !== input.value.trim()) return;
      const results = find(words).map(resultOf);
      found.replaceChildren(...(results.length > 0 ? results : [make('p', {}, ['Nothing found.'])]));
    } catch {
      loading = undefined;
      found.replaceChildren(make('p', {}, ['The search index could not be loaded. Type again to retry.']));
    }
  };
  input.addEventListener('input', () => void show());
  document.addEventListener('keydown', (event) => moveBetween(event, input, found));
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !found.contains(target) && target !== input) found.hidden = true;
  });
}

function moveBetween(event: KeyboardEvent, input: HTMLInputElement, found: HTMLElement): void {
  const { activeElement } = document;
  if (event.key === '/' && !(activeElement instanceof HTMLInputElement)) {
    event.preventDefault();
    input.focus();
    return;
  }
  if (found.hidden || !(activeElement === input || found.contains(activeElement))) return;
  if (event.key === 'Escape') {
    found.hidden = true;
    input.focus();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const stops: (Element | null)[] = [input, ...found.querySelectorAll('a')];
  const at = stops.indexOf(activeElement);
  const next = stops[Math.max(0, Math.min(at + step, stops.length - 1))];
  if (next instanceof HTMLElement) next.focus();
}

startTheme();
offerCopies();
const input = document.querySelector('#search');
const found = document.querySelector('#found');
if (input instanceof HTMLInputElement && found instanceof HTMLElement) followSearch(input, found);
