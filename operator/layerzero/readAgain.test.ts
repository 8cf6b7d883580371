import { createMemoryProgress } from '../../core/deploy/progress.ts';
import type { Step } from '../../core/deploy/step.ts';
import { readAgain } from './readAgain.ts';

const step = (name: string, kind: 'create' | 'call') => ({ name, kind }) as Step;
const steps = [step('endpoint', 'create'), step('caller', 'call'), step('send:1', 'call')];

it('completed calls get a new attempt; contracts and pending calls stay unchanged', async () => {
  const store = createMemoryProgress();
  const endpoint = { attempt: 0, hash: '0x1', state: 'mined', address: '0xa' } as const;
  const pending = { attempt: 2, hash: '0x3' };
  await store.save('s', 'endpoint', endpoint);
  await store.save('s', 'caller', { attempt: 1, hash: '0x2', state: 'mined' });
  await store.save('s', 'send:1', pending);
  const again = readAgain(store, steps);
  expect(await again.load('s')).toEqual({ endpoint, caller: { attempt: 2 }, 'send:1': pending });
  await again.save('s', 'caller', { attempt: 2, hash: '0x4' });
  expect((await store.load('s')).caller).toEqual({ attempt: 2, hash: '0x4' });
});
