import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { noBudgetMetrics } from '../http/limits/budgetMetrics.ts';
import { createVerification } from './service.ts';

const rest = `/api?module=contract&action=checkverifystatus&guid=0x${'a'.repeat(40)}-${'b'.repeat(16)}`;

it('a network has a few requests under way at a time, and others do not wait for them', async () => {
  const kube = createFakeKube();
  const network = kube.seed(networkType, aNetwork({ status: { enclaveID: 'e-1' } }));
  const asked: (() => void)[] = [];
  const get = async () => {
    await new Promise<void>((resolve) => void asked.push(resolve));
    return undefined;
  };
  const verification = createVerification({
    kube: { ...kube, get },
    caches: { networks: { byIndex: () => [network] } },
    compilers: { url: 'http://compilers', maxContracts: 1, maxMiB: 1 },
    ...{ budgets: noBudgetMetrics, clock: systemClock, log: silentLog },
  });
  const ask = (networkUid: string) =>
    verification.answer({
      ...{ networkUid, rest, method: 'GET', body: Buffer.alloc(0), requestId: 'r' },
      ...{ upstream: { host: '127.0.0.1', port: 1 }, take: () => undefined },
      keepBody: () => () => undefined,
    });
  const settle = () => new Promise(setImmediate);

  const busy = Array.from({ length: 600 }, () => ask('busy'));
  await settle();
  expect(asked).toHaveLength(8);
  expect((await Promise.race(busy)).status).toBe(429);
  const other = ask('other');
  await settle();
  expect(asked).toHaveLength(9);
  for (let done = 0; done < asked.length; done += 1) {
    asked[done]?.();
    await settle();
    await settle();
  }
  expect((await other).status).toBe(200);
  const statuses = (await Promise.all(busy)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(520);
  await verification.close();
});
