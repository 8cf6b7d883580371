import { aNetwork, aTransactionItem } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { FoundSubmission } from '../../core/outbox/findSubmitted.ts';
import { undone } from '../../core/outbox/results.ts';
import type { SenderQueues } from '../../core/outbox/senderQueues.ts';
import { createSubmitFor, type SubmitterDeps } from './submitter.ts';

type SendRequest = Parameters<SubmitterDeps['send']>[0];

const [former, present] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
const hash = `0x${'a'.repeat(64)}`;

const account = { address: present, withKey: () => Promise.reject(new Error('nothing is signed')) };
const node = { incarnation: 'two', chainId: '7', rpc: {}, published: { pod: 'p' }, isCurrent: () => true };

/** What a caller with a new key is answered for something that the former one signed, and what it marks. */
async function repeat(known: Pick<FoundSubmission, 'results'>) {
  const marked: Parameters<SenderQueues['markQueued']>[] = [];
  const deps = {
    queues: { markQueued: async (...args: (typeof marked)[number]) => marked.push(args) > 0 },
    send: () => Promise.reject(new Error('nothing is sent')),
    findAccount: async () => account,
    nodeOf: async () => node,
  } as unknown as SubmitterDeps;
  const network = asStored(aNetwork({ name: 'net', namespace: 'ws', metadata: { uid: 'u' } }));
  const { hashes, taken } = await createSubmitFor(deps)({
    userId: 'ann',
    network,
    items: [aTransactionItem({ from: present })],
    idempotencyKey: 'key',
    known: { hashes: [hash], signer: former, incarnation: 'one', ...known },
  });
  await taken;
  return { hashes, marked };
}

it('what a former key signed, and nobody may have sent, is sent by the operator when it is answered again', async () => {
  const queue = {
    namespace: 'ws',
    network: { name: 'net', uid: 'u', id: 'u' },
    incarnation: 'one',
    signer: former,
  };
  expect(await repeat({ results: [] })).toEqual({
    hashes: [hash],
    marked: [[queue, { idempotencyKey: 'key' }]],
  });
});

it('nothing is sent again of what a former key signed and is settled', async () => {
  expect(await repeat({ results: [undone] })).toEqual({ hashes: [hash], marked: [] });
});

describe('while a user is being confirmed', () => {
  const later = { ...node, incarnation: 'three' };
  const networkAs = (name: string) => asStored(aNetwork({ name, namespace: 'ws', metadata: { uid: 'u' } }));
  const refusal = new AppError('Unauthorized', 'the key was revoked');

  /** A submission that begins early: its network, what it sends, and in which order it does what. */
  function begin(change: Partial<SubmitterDeps> = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof networkAs>>();
    const steps: string[] = [];
    const deps = {
      queues: {},
      send: async ({ confirmed, queue }: SendRequest) => {
        steps.push(`prepared for ${queue.incarnation}`);
        await confirmed;
        steps.push(`written for ${queue.network.name}`);
        return { hashes: [hash], taken: Promise.resolve() };
      },
      findAccount: async () => ({
        ...account,
        withKey: (work: (key: Buffer) => unknown) => work(Buffer.alloc(32)),
      }),
      nodeOf: async () => later,
      presentNode: () => node,
      touch: () => void steps.push('touched'),
      storage: { take: () => ({ stored: () => undefined, giveBack: () => undefined }) },
      serverTimeMs: async () => 0,
      ...change,
    } as unknown as SubmitterDeps;
    const sent = createSubmitFor(deps)({
      userId: 'ann',
      network: networkAs('before'),
      items: [aTransactionItem({ from: present })],
      confirm: () => promise,
    });
    sent.catch(() => undefined);
    return { steps, sent, confirm: () => resolve(networkAs('after')), refuse: () => reject(refusal) };
  }

  it('the node of its network is asked, and nothing is written', async () => {
    const { steps, sent, confirm } = begin();
    await new Promise(setImmediate);
    expect(steps).toEqual(['prepared for two']);
    confirm();
    await sent;
    expect(steps).toEqual(['prepared for two', 'touched', 'written for before']);
  });

  it('a refusal is the answer, whatever the node says', async () => {
    const { sent, refuse } = begin({
      send: () => Promise.reject(new AppError('BadRequest', 'too little gas')),
    });
    refuse();
    await expect(sent).rejects.toBe(refusal);
  });

  it('what was decided by an old state is decided again', async () => {
    const nodes = [node, later];
    const { steps, sent, confirm } = begin({ presentNode: () => nodes.shift() as never });
    await new Promise(setImmediate);
    confirm();
    await sent;
    expect(steps).toEqual(['prepared for two', 'prepared for three', 'written for after']);
  });

  it('a network that does not run is neither woken nor asked', async () => {
    const woken: string[] = [];
    const { sent, confirm } = begin({
      presentNode: () => undefined,
      nodeOf: async (network) => {
        woken.push(network.metadata.name);
        return later as never;
      },
    });
    await new Promise(setImmediate);
    expect(woken).toEqual([]);
    confirm();
    await sent;
    expect(woken).toEqual(['after']);
  });
});

describe('room for what is kept of transactions', () => {
  const network = asStored(aNetwork({ name: 'net', namespace: 'ws', metadata: { uid: 'u' } }));
  const noRoom = new AppError('TooManyRequests', 'the workspace stores too much');

  /** A submission, and what it did in which order. */
  async function submit({
    isFull = false,
    fails = false,
    known,
  }: {
    isFull?: boolean;
    fails?: boolean;
    known?: object;
  }) {
    const steps: string[] = [];
    const deps = {
      queues: {},
      send: async () => {
        steps.push('signed');
        if (fails) throw new AppError('BadRequest', 'too little gas');
        return { hashes: [hash], taken: Promise.resolve() };
      },
      findAccount: async () => ({
        ...account,
        withKey: (work: (key: Buffer) => unknown) => work(Buffer.alloc(32)),
      }),
      nodeOf: async () => node,
      storage: {
        take: () => {
          if (isFull) throw noRoom;
          steps.push('taken');
          return { stored: () => steps.push('stored'), giveBack: () => steps.push('given back') };
        },
      },
      serverTimeMs: async () => 0,
    } as unknown as SubmitterDeps;
    const wanted = {
      userId: 'ann',
      network,
      items: [aTransactionItem({ from: present })],
      known: known as never,
    };
    const outcome = await createSubmitFor(deps)(wanted).then(
      () => 'accepted',
      (error: unknown) => error,
    );
    return { steps, outcome };
  }

  it('is taken before anything is signed', async () => {
    expect(await submit({})).toEqual({ steps: ['taken', 'signed', 'stored'], outcome: 'accepted' });
    expect(await submit({ isFull: true })).toEqual({ steps: [], outcome: noRoom });
  });

  it('is given back when nothing was accepted', async () => {
    expect(await submit({ fails: true })).toMatchObject({ steps: ['taken', 'signed', 'given back'] });
  });

  it('is not asked for what was accepted before', async () => {
    const known = { hashes: [hash], signer: present, incarnation: 'two', results: [] };
    expect(await submit({ isFull: true, known })).toEqual({ steps: ['signed'], outcome: 'accepted' });
  });
});
