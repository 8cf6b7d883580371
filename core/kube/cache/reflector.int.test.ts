import {
  pauseApiserver,
  resumeApiserver,
  startApiserver,
  stopApiserver,
} from '../../../hack/testenv/control.ts';
import { startTestEnvironment, type TestEnvironment } from '../../../hack/testenv/environment.ts';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { createKube, type KubeClient } from '../client/client.ts';
import { type ConfigMap, configMapType } from '../types.ts';
import { createReflector, type Reflector } from './reflector.ts';

describe('a reflector of kube-apiserver', () => {
  // Its own server, so that its outages do not affect other tests.
  let environment: TestEnvironment;
  let kube: KubeClient;
  let reflector: Reflector<ConfigMap>;
  let restarts = 0;
  let onRestart = () => undefined as unknown;
  const map = (name: string): ConfigMap => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', labels: { suite: 'reflector' } },
  });

  beforeAll(async () => {
    environment = await startTestEnvironment();
    const options = { log: silentLog, clock: systemClock };
    kube = createKube({ ...options, kubeconfigPath: environment.kubeconfig, requestTimeoutMs: 2_000 });
    reflector = createReflector({
      kube,
      type: configMapType,
      labelSelector: 'suite=reflector',
      ...options,
      pageSize: 2,
      idleTimeoutMs: 3_000,
      kubeMetrics: {
        watchRestarts() {
          restarts += 1;
          onRestart();
        },
      },
    });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await kube.create(configMapType, map(name));
    reflector.start();
    await reflector.whenSynced();
  });
  afterAll(async () => {
    await reflector?.stop();
    await kube?.close();
    await environment?.stop();
  });

  /** Resolves when the watch has been restarted `count` times in total. */
  const restarted = (count: number) =>
    new Promise<void>((resolve) => {
      onRestart = () => restarts >= count && resolve();
      onRestart();
    });

  const waitForName = (name: string) =>
    reflector.waitFor(({ metadata }) => metadata.name === name, { timeoutMs: 60_000 });

  it('holds all pages, and follows changes', async () => {
    expect(reflector.list()).toHaveLength(5);
    await kube.create(configMapType, map('later'));
    expect((await waitForName('later'))?.metadata).not.toHaveProperty('managedFields');
  });

  it.each([
    ['stopped and started', (file: string) => stopApiserver(file), (file: string) => startApiserver(file)],
    ['killed and started', (file: string) => stopApiserver(file, 0), (file: string) => startApiserver(file)],
    [
      'paused and resumed',
      async (file: string) => pauseApiserver(file),
      async (file: string) => resumeApiserver(file),
    ],
  ])('catches up after the server was %s', async (how, down, up) => {
    const name = `after-${how.split(' ')[0]}`;
    const before = reflector.list().length;
    const count = restarts;
    await down(environment.stateFile);
    await restarted(count + 2);
    await up(environment.stateFile);
    const other = createKube({ kubeconfigPath: environment.kubeconfig, log: silentLog, clock: systemClock });
    await other.create(configMapType, map(name));
    await other.close();
    expect(await waitForName(name)).toBeDefined();
    expect(reflector.list()).toHaveLength(before + 1);
  });
});
