import { reloadWithoutParts } from './reload.ts';

function aPage() {
  const kept = new Map<string, string>();
  const page = {
    storage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    },
    clock: 1_000_000,
    reloads: 0,
    nowMs: () => page.clock,
    reload: () => {
      page.reloads += 1;
    },
  };
  const target = new EventTarget();
  reloadWithoutParts(target, page);
  const fail = () => target.dispatchEvent(new Event('vite:preloadError', { cancelable: true }));
  return { page, fail };
}

it('a page whose parts cannot be loaded is loaded again, without an error in between', () => {
  const { page, fail } = aPage();
  expect(fail()).toBe(false);
  expect(page.reloads).toBe(1);
});

it('a page that was just loaded again shows its error', () => {
  const { page, fail } = aPage();
  fail();
  page.clock += 9_999;
  expect(fail()).toBe(true);
  expect(page.reloads).toBe(1);
  page.clock += 1;
  fail();
  expect(page.reloads).toBe(2);
});
