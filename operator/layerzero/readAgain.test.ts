import { createMemoryProgress } from '../../core/deploy/progress.ts';
import type { Step } from '../../core/deploy/step.ts';
import { readAgain } from './readAgain.ts';

const step = (name: string, kind: 'create' | 'call') => ({ name, kind }) as Step;
const steps = [step('endpoint', 'create'), step('caller', 'call'), step('send:1', 'call')];

it('calls that were made are asked for again under another idempotency key; contracts and what is on its way stay', async () => {
  const store = createMemoryProgress();
  const endpoint = { attempt: 0, hash: '0x1', state: 'mined', address: '0xa' } as const;
  const underWay = { attempt: 2, hash: '0x3' };
  await store.save('s', 'endpoint', endpoint);
  await store.save('s', 'caller', { attempt: 1, hash: '0x2', state: 'mined' });
  await store.save('s', 'send:1', underWay);
  const anew = readAgain(store, steps);
  expect(await anew.load('s')).toEqual({ endpoint, caller: { attempt: 2 }, 'send:1': underWay });
  await anew.save('s', 'caller', { attempt: 2, hash: '0x4' });
  expect((await store.load('s')).caller).toEqual({ attempt: 2, hash: '0x4' });
});
