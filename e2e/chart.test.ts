import { join } from 'node:path';
import { releaseName, releaseNamespace } from '../hack/up/names.ts';
import { getJson, helm, kubectl } from './lib/cluster.ts';

const chart = join(import.meta.dirname, '..', 'charts', 'slipway');

describe('the chart', () => {
  it('passes helm lint without a warning', async () => {
    const { code, stdout } = await helm(['lint', '--strict', chart]);
    expect(stdout).toContain('0 chart(s) failed');
    expect(code).toBe(0);
  });

  it('passes helm test on the installed release', async () => {
    const { code, stdout, stderr } = await helm([
      'test',
      releaseName,
      '--namespace',
      releaseNamespace,
      '--timeout',
      '120s',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Phase:\s+Succeeded/);
  });

  it('has no keys in the release, and the Job that generates them leaves nothing behind', async () => {
    const inNamespace = ['--namespace', releaseNamespace];
    const { code, stdout } = await helm(['get', 'all', releaseName, ...inNamespace]);
    expect(code).toBe(0);
    for (const name of ['keys', 'bootstrap']) {
      const { data } = await getJson('secret', `${releaseName}-${name}`, ...inNamespace);
      const found = Object.values<string>(data).filter((value) => stdout.includes(value));
      expect([name, found]).toEqual([name, []]);
    }
    for (const kind of ['job', 'serviceaccount', 'role', 'rolebinding', 'networkpolicy']) {
      const { items } = await getJson(kind, ...inNamespace);
      const names = items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
      expect(names).not.toContain(`${releaseName}-keys`);
    }
  });

  it('rejects invalid values with their path', async () => {
    const { code, stderr } = await helm(['template', chart, '--set', 'idle.afterSeconds=soon']);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/idle/);
  });

  it('runs pods that the restricted Pod Security Standard admits', async () => {
    const dry = ['label', '--dry-run=server', '--overwrite', 'namespace', releaseNamespace];
    const { stderr } = await kubectl([...dry, 'pod-security.kubernetes.io/enforce=restricted']);
    expect(stderr).not.toMatch(/violate/);
  });
});
