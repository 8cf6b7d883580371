import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createAttempts } from './attempts.ts';

const address = `0x${'a'.repeat(40)}`;
const never = () => new Promise<never>(() => undefined);

it('an attempt over the limit is refused, counted, and gives back what its submission holds, once', async () => {
  const kube = createFakeKube();
  const network = kube.seed(networkType, aNetwork({ status: { enclaveID: 'e-1' } }));
  const refused: string[] = [];
  const attempts = createAttempts({
    ...{ kube: { ...kube, get: never }, compile: never, findNetwork: () => network },
    ...{ clock: systemClock, log: silentLog, limits: { maxContracts: 9, maxMiB: 9 } },
    budgets: { refused: (budget) => void refused.push(budget) },
  });
  const ended: number[] = [];
  const begin = (number: number) =>
    attempts.begin({
      place: { network, enclaveID: 'e-1', address },
      deployed: { address, code: '0x60', codeHash: '0x' },
      submission: {
        ...{ compiler: '0.8.28', path: 'A.sol', name: 'A' },
        input: { language: 'Solidity', sources: {}, settings: {} },
      },
      chain: { call: never },
      onEnd: () => void ended.push(number),
    });
  for (let number = 1; number <= 4; number += 1) void begin(number);
  await expect(begin(5)).rejects.toMatchObject({ reason: 'TooManyRequests' });
  expect([ended, refused]).toEqual([[5], ['verifications']]);
});
