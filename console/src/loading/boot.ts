/**
 * The first script of the page, in a file of its own. It loads again what the page begins with and what does not arrive. If
 * nothing helps, the words stay that stand in index.html, which it otherwise hides.
 */

import { systemClock } from '../lib/clock.ts';

const pausesMs = [300, 1_000, 3_000];

const waiting = new MutationObserver(() => {
  const words = document.getElementById('not-loaded');
  if (!words) return;
  words.hidden = true;
  waiting.disconnect();
});
waiting.observe(document, { childList: true, subtree: true });

const attempts = new Map<string, number>();

/** Calls `load` after a pause; `give up` after the last one. */
function again(url: string, load: () => void, giveUp: () => void): void {
  const attempt = attempts.get(url) ?? 0;
  attempts.set(url, attempt + 1);
  const pauseMs = pausesMs[attempt];
  if (pauseMs === undefined) giveUp();
  else systemClock.after(pauseMs, load);
}

function importScript(url: string): void {
  import(/* @vite-ignore */ url).catch(() => retryScript(url));
}

function retryScript(url: string): void {
  again(url, () => importScript(url), showWords);
}

function retryStyles(link: HTMLLinkElement): void {
  const { href } = link;
  link.remove();
  const load = () => {
    const next = document.createElement('link');
    next.rel = 'stylesheet';
    next.href = href;
    document.head.append(next);
  };
  // The console works without, in the browser's own look.
  again(href, load, () => {});
}

function showWords(): void {
  const words = document.getElementById('not-loaded');
  if (words) words.hidden = false;
}

addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement && target.src) retryScript(target.src);
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') retryStyles(target);
  },
  { capture: true },
);
