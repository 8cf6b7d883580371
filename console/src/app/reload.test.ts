import { reloadAfterUpgrade } from './reload.ts';

function aPage(readPage: () => Promise<string>) {
  const kept = new Map<string, string>();
  const page = {
    storage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    },
    clock: 1_000_000,
    reloads: 0,
    script: '/assets/index-old.js',
    nowMs: () => page.clock,
    reload: () => {
      page.reloads += 1;
    },
    readPage,
  };
  const target = new EventTarget();
  reloadAfterUpgrade(target, page);
  const fail = async () => {
    target.dispatchEvent(new Event('vite:preloadError', { cancelable: true }));
    await new Promise((done) => setImmediate(done));
  };
  return { page, fail };
}

const upgraded = async () => '<script src="/assets/index-new.js"></script>';

it('a page of an earlier release is loaded again when one of its parts is gone, but not over and over', async () => {
  const { page, fail } = aPage(upgraded);
  await fail();
  await fail();
  page.clock += 9_999;
  await fail();
  expect(page.reloads).toBe(1);
  page.clock += 1;
  await fail();
  expect(page.reloads).toBe(2);
});

it.each([
  ['of the same release', async () => '<script src="/assets/index-old.js"></script>'],
  ['of a service that does not answer', () => Promise.reject(new Error('no connection'))],
])('a page %s stays, with what is typed into it', async (_reason, readPage) => {
  const { page, fail } = aPage(readPage);
  await fail();
  expect(page.reloads).toBe(0);
});
