import { aNetwork } from '../../../core/api/testing/builders.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createAttempts } from './attempts.ts';

const address = `0x${'a'.repeat(40)}`;
const never = () => new Promise<never>(() => undefined);

/** Attempts that never end. */
function createWorld() {
  const refused: string[] = [];
  const attempts = createAttempts({
    kube: { ...createFakeKube(), get: never },
    compile: never,
    findNetwork: () => undefined,
    clock: systemClock,
    log: silentLog,
    limits: { maxContracts: 9, maxMiB: 9 },
    budgets: { refused: (budget) => void refused.push(budget) },
    shareOf: (namespace) => namespace,
  });
  const begin = (namespace: string, uid: string, onEnd = () => {}) =>
    attempts.begin({
      place: { network: asStored(aNetwork({ namespace, metadata: { uid } })), enclaveID: 'e-1', address },
      deployed: { address, code: '0x60', codeHash: '0x' },
      submission: {
        compiler: '0.8.28',
        path: 'A.sol',
        name: 'A',
        input: { language: 'Solidity', sources: {}, settings: {} },
      },
      chain: { call: never },
      onEnd,
    });
  return { refused, begin };
}

it('an attempt over the limit is refused, counted, and gives back what its submission holds, once', async () => {
  const { refused, begin } = createWorld();
  const ended: number[] = [];
  const beginAs = (number: number) => begin('one', 'a', () => void ended.push(number));
  for (let number = 1; number <= 4; number += 1) void beginAs(number);
  await expect(beginAs(5)).rejects.toMatchObject({ reason: 'TooManyRequests' });
  expect([ended, refused]).toEqual([[5], ['verifications']]);
});

it('the networks of a workspace have few attempts together, which keep no other workspace from its own', async () => {
  const { refused, begin } = createWorld();
  for (const uid of ['a', 'b', 'c', 'd']) for (let count = 0; count < 2; count += 1) void begin('one', uid);
  await expect(begin('one', 'e')).rejects.toThrow(
    '8 contracts of the owner of the network are being verified',
  );
  void begin('two', 'f');
  expect(refused).toEqual(['verifications']);
});
