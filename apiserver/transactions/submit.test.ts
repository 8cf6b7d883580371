import { aNetwork } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../core/lib/errors.ts';
import { silentLog } from '../../core/lib/log.ts';
import type { Call } from '../http/pipeline/handler.ts';
import { submitTransactions } from './submit.ts';

const unreachable = new AppError('Unavailable', 'the node is away');
const lost = new AppError('Unavailable', 'who knows', { isOutcomeUnknown: true });
const wrong = new AppError('BadRequest', 'too little gas');
const broken = new Error('a bug');

/** What a submission to network a and network b answers, of which neither is accepted. */
async function refusalOf(a: Error, b: Error, isRepeated = false): Promise<unknown> {
  const submit = submitTransactions({
    kube: createFakeKube(),
    networks: { byId: () => undefined },
    findNetwork: async (_namespace, name) => asStored(aNetwork({ name })),
    submitFor: ({ network }) => Promise.reject(network.metadata.name === 'a' ? a : b),
  });
  const item = { value: '0', data: '0x', to: `0x${'1'.repeat(40)}` };
  const call = {
    principal: { namespace: 'ws', userId: 'ann' },
    idempotencyMark: undefined,
    isRepeated,
    confirmed: Promise.resolve(),
    requestId: 'r',
    log: silentLog,
    body: { transactions_by_network: { a: [item], b: [item] } },
  };
  return submit(call as unknown as Call<'submitTransactions'>).catch((error: unknown) => error);
}

it('what is wrong on one network is 400 where the others certainly accepted nothing', async () => {
  expect(await refusalOf(unreachable, wrong)).toMatchObject({ reason: 'BadRequest' });
  expect(await refusalOf(wrong, wrong)).toMatchObject({ reason: 'BadRequest' });
});

it.each([
  ['the write was not answered', lost, false],
  ['something unexpected failed', broken, false],
  ['an earlier attempt may have written it', unreachable, true],
])(
  'where %s, the same request is to be repeated, so that its record stays',
  async (_why, error, isRepeated) => {
    expect(await refusalOf(error, wrong, isRepeated)).toMatchObject({
      reason: 'Unavailable',
      message: expect.stringContaining('it is not known whether something was accepted'),
      details: expect.arrayContaining([{ path: 'transactions_by_network.b', message: 'too little gas' }]),
    });
  },
);
