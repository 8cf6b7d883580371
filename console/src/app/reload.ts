/** A page that was reloaded as recently has another problem, which it shows. */
const recentMs = 10_000;
const storageKey = 'slipway-reloaded';

interface Page {
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  nowMs(): number;
  reload(): void;
  /** The page as the service has it now; rejects when it does not answer. */
  readPage(): Promise<string>;
  /** The path of the script that this page began with. */
  script: string;
}

/**
 * Loads the page again when the service was upgraded: its parts have other names now. A part that is missing for another
 * reason is tried again by itself.
 */
export function reloadAfterUpgrade(target: EventTarget, page: Page): void {
  target.addEventListener('vite:preloadError', () => {
    void reloadIfOld(page);
  });
}

async function reloadIfOld(page: Page): Promise<void> {
  const lastMs = Number(page.storage.getItem(storageKey) ?? 0);
  if (page.nowMs() - lastMs < recentMs) return;
  const now = await page.readPage().catch(() => page.script);
  if (now.includes(page.script)) return;
  page.storage.setItem(storageKey, String(page.nowMs()));
  page.reload();
}
