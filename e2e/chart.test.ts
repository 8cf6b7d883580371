import { join } from 'node:path';
import { jest } from '@jest/globals';
import { releaseName, releaseNamespace } from '../hack/up/names.ts';
import { helm, kubectl } from './lib/cluster.ts';

jest.setTimeout(300_000);
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
