import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aKeyring } from '../../core/accounts/testing/keyrings.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { endpointSliceType } from '../../core/kube/types.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { createCursors } from '../http/paging/cursor.ts';
import { createReplicaAddresses } from './addresses.ts';
import { createAnswerReplicas, pathOf } from './answerReplicas.ts';
import { createAskReplicas } from './askReplicas.ts';
import { createQuestions } from './questions.ts';

const nowMs = Date.parse('2031-01-31T00:00:00Z');
const cursors = createCursors(aKeyring('cursor key'));
const log = silentLog;

describe('a question', () => {
  const clock = createManualClock(nowMs);
  const topics = new Map([['double', (question: unknown) => Number(question) * 2]]);
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer(createAnswerReplicas({ topics, cursors, clock, log }));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  const asking = (hosts: string[]) =>
    createAskReplicas({ addresses: async () => hosts, port, cursors, clock, log });

  it('is answered by each replica that can be reached, and the others are counted', async () => {
    const { ask, close } = asking(['127.0.0.1', '127.0.0.2', '127.0.0.1']);
    expect(await ask('double', 4)).toEqual({ answers: [8, 8], missing: 1 });
    expect(await ask('unknown', 4)).toEqual({ answers: [], missing: 3 });
    await close();
  });

  it('is answered by nobody where this replica is alone', async () => {
    const { ask, close } = asking([]);
    expect(await ask('double', 4)).toEqual({ answers: [], missing: 0 });
    await close();
  });

  it('that cannot be asked leaves at least one replica out', async () => {
    const addresses = () => Promise.reject(new Error('away'));
    const { ask, close } = createAskReplicas({ addresses, port, cursors, clock, log });
    expect(await ask('double', 4)).toEqual({ answers: [], missing: 1 });
    await close();
  });

  const ownQuestions = createQuestions(cursors, clock);
  const strangers = createQuestions(createCursors(aKeyring('another key')), clock);
  const late = createQuestions(cursors, createManualClock(nowMs - 61_000));
  it.each([
    ['that a replica asks', ownQuestions.seal('double', 1), 200],
    ['without a seal', '1', 400],
    ['sealed with another key', strangers.seal('double', 1), 400],
    ['about something else', ownQuestions.seal('calls', 1), 400],
    ['of more than a minute ago', late.seal('double', 1), 404],
  ])('%s', async (_what, sealed, status) => {
    expect(await statusOf(pathOf('double', sealed))).toBe(status);
  });

  it.each(['/', '/replicas/', '/replicas/none?x', '/replicas/double'])('is not %s', async (path) => {
    expect([400, 404]).toContain(await statusOf(path));
  });
});

describe('the other replicas', () => {
  const namespace = 'slipway-system';
  const endpoint = (pod: string, address: string, ready = true) => ({
    addresses: [address],
    conditions: { ready },
    targetRef: { kind: 'Pod', name: pod },
  });
  const port = 8080;
  const addSlice = (
    kube: ReturnType<typeof createFakeKube>,
    { name, port: own = port }: { name: string; port?: number },
    endpoints: object[],
  ) =>
    kube.create(endpointSliceType, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name, namespace },
      addressType: 'IPv4',
      endpoints,
      ports: [{ port: own }],
    } as never);

  it('are the ready endpoints of the Service of the API, not those of other processes with metrics', async () => {
    const kube = createFakeKube();
    const clock = createManualClock(nowMs);
    await addSlice(kube, { name: 'http' }, [
      endpoint('a', '10.0.0.1'),
      endpoint('b', '10.0.0.2'),
      endpoint('c', '10.0.0.3', false),
    ]);
    await addSlice(kube, { name: 'metrics', port: 9090 }, [
      endpoint('a', '10.0.0.1'),
      endpoint('b', '10.0.0.2'),
      endpoint('operator', '10.0.0.8'),
    ]);
    await addSlice(kube, { name: 'webhook', port: 8443 }, [endpoint('o', '10.0.0.9')]);
    const addresses = createReplicaAddresses({ kube, namespace, pod: 'a', port, clock });
    expect(await addresses()).toEqual(['10.0.0.2']);
    await addSlice(kube, { name: 'more' }, [endpoint('a', '10.0.0.1'), endpoint('d', '10.0.0.4')]);
    expect(await addresses()).toEqual(['10.0.0.2']);
    clock.advance(5000);
    expect(await addresses()).toEqual(['10.0.0.2', '10.0.0.4']);
  });

  it('are none outside of a cluster', async () => {
    const kube = createFakeKube();
    await addSlice(kube, { name: 'http' }, [endpoint('', '10.0.0.1'), endpoint('b', '10.0.0.2')]);
    const addresses = createReplicaAddresses({
      kube,
      namespace,
      pod: '',
      port,
      clock: createManualClock(nowMs),
    });
    expect(await addresses()).toEqual([]);
  });
});
