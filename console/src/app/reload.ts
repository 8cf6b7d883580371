/** A page that was reloaded as recently has another problem, which its error says. */
const recentMs = 10_000;
const storageKey = 'slipway-reloaded';

interface Page {
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  nowMs(): number;
  reload(): void;
}

/**
 * Loads the page again when a part of it could not be loaded: the network changed, or the service was upgraded and the
 * parts have other names.
 */
export function reloadWithoutParts(target: EventTarget, page: Page): void {
  target.addEventListener('vite:preloadError', (event) => {
    const lastMs = Number(page.storage.getItem(storageKey) ?? 0);
    if (page.nowMs() - lastMs < recentMs) return;
    // The error would be shown until the page is there again.
    event.preventDefault();
    page.storage.setItem(storageKey, String(page.nowMs()));
    page.reload();
  });
}
