import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { run } from '../lib/run.ts';
import { findCommand } from '../nativeNode/setup/packages.ts';
import { startRegistry, type TestRegistry } from '../testing/registry.ts';
import { toolPath } from '../tools/build.ts';
import { chart, helmSkipReason } from './render.ts';

const reason = findCommand('apt-get') ? helmSkipReason() : 'apt-get is not there';
const suite = reason ? describe.skip : describe;

/** The chart as it is installed from a registry, with a real one. */
suite(`the packaged chart${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let folder: string;
  let registry: TestRegistry;
  const helm = (...args: string[]) => run(toolPath('helm'), args, { cwd: folder });
  const template = (from: string, ...args: string[]) =>
    helm('template', 'slipway', from, '--namespace', 'slipway-system', ...args);
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-package-'));
    registry = await startRegistry();
  });
  afterAll(async () => {
    await registry.stop();
    rmSync(folder, { recursive: true });
  });

  it('is pushed to a registry, and is pulled from it as the same chart', async () => {
    const { version } = parse(await helm('show', 'chart', chart)) as { version: string };
    await helm('package', chart);
    await helm('push', `slipway-${version}.tgz`, `oci://${registry.host}/charts`, '--plain-http');
    const address = `oci://${registry.host}/charts/slipway`;
    await helm('pull', address, '--version', version, '--plain-http', '--untar');
    // Without the generated certificate, which is another one each time. Keys are in no manifest.
    const values = ['webhook.existingSecret=mine', 'webhook.caBundle=Y2E='].flatMap((one) => ['--set', one]);
    const expected = await template(chart, ...values);
    expect(await template(join(folder, 'slipway'), ...values)).toBe(expected);
    expect(await template(address, '--version', version, '--plain-http', ...values)).toBe(expected);
  });
});
