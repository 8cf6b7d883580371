import { existsSync } from 'node:fs';
import { tryRun } from '../lib/run.ts';
import { ensureTools } from '../tools/ensure.ts';
import { killApiserver, pauseApiserver, resumeApiserver, startApiserver, stopApiserver } from './control.ts';
import { startTestEnvironment, type TestEnvironment } from './environment.ts';

describe('a test environment', () => {
  let environment: TestEnvironment;
  let kubectl: string;
  const ask = async (...args: string[]) => {
    const bound = ['--kubeconfig', environment.kubeconfig, '--request-timeout=2s'];
    const { code, output } = await tryRun(kubectl, [...bound, ...args]);
    return { isAnswered: code === 0, output };
  };

  beforeAll(async () => {
    kubectl = (await ensureTools(['kubectl'])).kubectl;
    environment = await startTestEnvironment();
  }, 120_000);
  afterAll(() => environment.stop());

  it('is a Kubernetes API of which the caller is the administrator', async () => {
    expect((await ask('auth', 'can-i', '*', '*')).output.trim()).toBe('yes');
  });

  it.each([
    ['stopped', stopApiserver],
    ['killed', killApiserver],
  ])(
    'keeps its data while kube-apiserver is %s and started again',
    async (how, end) => {
      await ask('create', 'namespace', how);
      await end(environment.stateFile);
      expect((await ask('get', 'namespaces')).isAnswered).toBe(false);
      await startApiserver(environment.stateFile);
      expect((await ask('get', 'namespace', how)).isAnswered).toBe(true);
    },
    30_000,
  );

  it('answers nothing while kube-apiserver is frozen, and goes on afterwards', async () => {
    pauseApiserver(environment.stateFile);
    expect((await ask('get', 'namespaces')).isAnswered).toBe(false);
    resumeApiserver(environment.stateFile);
    expect((await ask('get', 'namespaces')).isAnswered).toBe(true);
  }, 30_000);

  it('is gone with all of its files after it was stopped', async () => {
    const another = await startTestEnvironment();
    await another.stop();
    expect(existsSync(another.kubeconfig)).toBe(false);
  }, 60_000);
});
