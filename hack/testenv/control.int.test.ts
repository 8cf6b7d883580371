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
  });
  afterAll(() => environment.stop());

  it('provides a Kubernetes API with the caller as administrator', async () => {
    expect((await ask('auth', 'can-i', '*', '*')).output.trim()).toBe('yes');
  });

  it.each([
    ['stopped', stopApiserver],
    ['killed', killApiserver],
  ])('keeps its data when kube-apiserver is %s and restarted', async (how, end) => {
    await ask('create', 'namespace', how);
    await end(environment.stateFile);
    expect((await ask('get', 'namespaces')).isAnswered).toBe(false);
    await startApiserver(environment.stateFile);
    expect((await ask('get', 'namespace', how)).isAnswered).toBe(true);
  });

  it('does not respond while kube-apiserver is paused, and responds again after it resumes', async () => {
    pauseApiserver(environment.stateFile);
    expect((await ask('get', 'namespaces')).isAnswered).toBe(false);
    resumeApiserver(environment.stateFile);
    expect((await ask('get', 'namespaces')).isAnswered).toBe(true);
  });

  it('removes all of its files when it is stopped', async () => {
    const another = await startTestEnvironment();
    await another.stop();
    expect(existsSync(another.kubeconfig)).toBe(false);
  });
});
