import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { type Connection, createConnection } from './connection.ts';

const encode = (text: string) => Buffer.from(text).toString('base64');

function configOf(cluster: object, user: object): string {
  return JSON.stringify({
    clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:6443/', ...cluster } }],
    users: [{ name: 'a', user }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    'current-context': 'a',
  });
}

describe('a connection', () => {
  let folder: string;
  let kubeconfigPath: string;
  let nowMs: number;
  let connection: Connection;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-connection-'));
    kubeconfigPath = join(folder, 'kubeconfig');
    nowMs = 0;
  });
  afterEach(async () => {
    await connection.close();
    rmSync(folder, { recursive: true });
  });

  function connect(cluster: object, user: object): void {
    writeFileSync(kubeconfigPath, configOf(cluster, user));
    connection = createConnection({
      kubeconfigPath,
      clock: systemClock,
      log: silentLog,
      monotonic: () => nowMs,
    });
  }

  it('keeps one pool while nothing changes', async () => {
    connect({}, { token: 'a' });
    const { dispatcher, server } = await connection.access();
    nowMs += 61_000;
    expect((await connection.access()).dispatcher).toBe(dispatcher);
    expect((await connection.access(true)).dispatcher).toBe(dispatcher);
    expect(server).toBe('https://127.0.0.1:6443');
  });

  it.each([
    ['authority', { 'certificate-authority-data': encode('new') }, { token: 'a' }],
    [
      'client certificate',
      {},
      { token: 'a', 'client-certificate-data': encode('c'), 'client-key-data': encode('k') },
    ],
    ['server name', { 'tls-server-name': 'other' }, { token: 'a' }],
    ['server', { server: 'https://127.0.0.2:6443' }, { token: 'a' }],
  ])('creates a new pool a minute after the %s changed', async (_reason, cluster, user) => {
    connect({}, { token: 'a' });
    const { dispatcher } = await connection.access();
    writeFileSync(kubeconfigPath, configOf(cluster, user));
    expect((await connection.access()).dispatcher).toBe(dispatcher);
    nowMs += 60_000;
    expect((await connection.access()).dispatcher).not.toBe(dispatcher);
  });

  it('keeps the pool when only the token changed', async () => {
    connect({}, { token: 'a' });
    const { dispatcher, headers } = await connection.access();
    writeFileSync(kubeconfigPath, configOf({}, { token: 'b' }));
    const renewed = await connection.access(true);
    expect(renewed.dispatcher).toBe(dispatcher);
    expect([headers.Authorization, renewed.headers.Authorization]).toEqual(['Bearer a', 'Bearer b']);
  });

  it('keeps using the last valid file while the file is being written', async () => {
    connect({}, { token: 'a' });
    await connection.access();
    writeFileSync(kubeconfigPath, '{ "clusters": [');
    expect((await connection.access(true)).headers.Authorization).toBe('Bearer a');
  });

  it('sends a user name and password as basic authentication', async () => {
    connect({}, { username: 'u', password: 'p' });
    expect((await connection.access()).headers.Authorization).toBe(`Basic ${encode('u:p')}`);
  });

  it('throws BadRequest when there is no usable kubeconfig', () => {
    connect({}, {});
    const options = { clock: systemClock, log: silentLog };
    const missing = () => createConnection({ ...options, kubeconfigPath: join(folder, 'missing') });
    expect(missing).toThrow(expect.objectContaining({ reason: 'BadRequest' }));
  });
});
