import { noBudgetMetrics } from '../../../apiserver/http/limits/budgetMetrics.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createVerification } from './service.ts';

const rest = `/api?module=contract&action=checkverifystatus&guid=0x${'a'.repeat(40)}-${'b'.repeat(16)}`;

const settle = () => new Promise(setImmediate);

/** Each network is `<workspace>/<name>`; `asked` answers the requests to kube-apiserver. */
function setUp() {
  const kube = createFakeKube();
  const known = new Map<string, ReturnType<typeof networkOf>>();
  const networkOf = (uid: string) => {
    const [namespace = '', name = ''] = uid.split('/');
    return kube.seed(networkType, aNetwork({ namespace, name, status: { enclaveID: 'e-1' } }));
  };
  const asked: (() => void)[] = [];
  const get = async () => {
    await new Promise<void>((resolve) => void asked.push(resolve));
    return undefined;
  };
  const verification = createVerification({
    kube: { ...kube, get },
    caches: {
      networks: {
        byIndex(_index, uid) {
          const network = known.get(uid) ?? networkOf(uid);
          known.set(uid, network);
          return [network];
        },
      },
    },
    compilers: { url: 'http://compilers', maxContracts: 1, maxMiB: 1 },
    shares: { of: (namespace) => namespace },
    budgets: noBudgetMetrics,
    clock: systemClock,
    log: silentLog,
  });
  const ask = (networkUid: string) =>
    verification.answer({
      networkUid,
      rest,
      method: 'GET',
      body: Buffer.alloc(0),
      requestId: 'r',
      upstream: { host: '127.0.0.1', port: 1 },
      take: () => undefined,
      source: '192.0.2.1',
      keepBody: () => () => undefined,
    });
  const answerAll = async () => {
    for (let done = 0; done < asked.length; done += 1) {
      asked[done]?.();
      for (let turn = 0; turn < 3; turn += 1) await settle();
    }
  };
  return { verification, asked, ask, answerAll };
}

it('a network has a few requests under way at a time, and others do not wait for them', async () => {
  const { verification, asked, ask, answerAll } = setUp();
  const busy = Array.from({ length: 600 }, () => ask('w/busy'));
  await settle();
  expect(asked).toHaveLength(8);
  expect((await Promise.race(busy)).status).toBe(429);
  const other = ask('w/other');
  await settle();
  expect(asked).toHaveLength(9);
  await answerAll();
  expect((await other).status).toBe(200);
  const statuses = (await Promise.all(busy)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(520);
  await verification.close();
});

it('the networks of one workspace have sixteen together, and another workspace does not wait for them', async () => {
  const { verification, asked, ask, answerAll } = setUp();
  const busy = Array.from({ length: 40 }, (_, index) => ask(`busy/${index % 20}`));
  await settle();
  expect(asked).toHaveLength(16);
  const other = ask('other/a');
  await settle();
  expect(asked).toHaveLength(17);
  await answerAll();
  for (const { status } of await Promise.all([...busy, other])) expect(status).toBe(200);
  await verification.close();
});
