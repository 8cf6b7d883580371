import type { PositionStore, RelayPosition } from '../../core/crosschain/relay/protocol.ts';
import { cachePositions } from './positions.ts';

const waiting = [{ id: 'm', to: 'b', block: 7, index: 0, attempts: 0, retryAtMs: 0 }];

function createStore() {
  const saved: RelayPosition[] = [];
  const store: PositionStore = {
    load: async () => saved.at(-1),
    save: async (_key, position) => void saved.push(position),
  };
  return { saved, store };
}

it('stores empty blocks now and then, messages immediately', async () => {
  const { saved, store } = createStore();
  const positions = cachePositions(store);
  for (let block = 1; block <= 450; block += 1) await positions.save('a', { block, waiting: [] });
  expect(saved.map(({ block }) => block)).toEqual([1, 201, 401]);
  await positions.save('a', { block: 451, waiting });
  await positions.save('a', { block: 452, waiting: [] });
  expect(saved.map(({ block }) => block)).toEqual([1, 201, 401, 451, 452]);
});

it('continues from the stored position after a restart, and never skips a message', async () => {
  const { store } = createStore();
  const former = cachePositions(store);
  await former.save('a', { block: 10, waiting: [] });
  await former.save('a', { block: 20, waiting });
  await former.save('a', { block: 30, waiting });
  expect(await former.load('a')).toEqual({ block: 30, waiting });
  expect(await cachePositions(store).load('a')).toEqual({ block: 30, waiting });
});
