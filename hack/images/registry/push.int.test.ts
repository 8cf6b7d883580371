import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { entriesOf } from '../../builder/ahead.ts';
import { chartEnginesOf, find, helmSkipReason, renderChart } from '../../chart/render.ts';
import { findCommand } from '../../nativeNode/setup/packages.ts';
import { registryUser, startRegistry, type TestRegistry } from '../../testing/registry.ts';
import { pushImages } from '../../up/push.ts';
import { chartValues } from '../../up/values.ts';
import { createArchive } from '../archive.ts';
import { pushImage } from './push.ts';
import { parseRegistry } from './reference.ts';

const reason = findCommand('apt-get') ? helmSkipReason() : 'apt-get is not there';
const suite = reason ? describe.skip : describe;

/** A registry as it is at users', from Debian. */
suite(`pushing to a registry${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let folder: string;
  let open: TestRegistry;
  let closed: TestRegistry;
  const sha256 = (data: Buffer | string) => `sha256:${createHash('sha256').update(data).digest('hex')}`;
  const archiveOf = (name: string, text = name) => {
    const files = [{ path: '/etc/name', content: Buffer.from(text) }];
    const { tar, id } = createArchive(`localhost/slipway/${name}:1`, files, { command: ['/x'] });
    const path = join(folder, `${name}.tar`);
    writeFileSync(path, tar);
    return { tar: path, id };
  };
  const manifestOf = async (host: string, repository: string, reference: string) => {
    const headers = { Accept: 'application/vnd.oci.image.manifest.v1+json' };
    const answer = await fetch(`http://${host}/v2/${repository}/manifests/${reference}`, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  const logIn = (host: string, password: string) => {
    const auth = Buffer.from(`${registryUser.user}:${password}`).toString('base64');
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ auths: { [host]: { auth } } }));
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-push-test-'));
    process.env.DOCKER_CONFIG = folder;
    open = await startRegistry();
    closed = await startRegistry({ needsLogin: true });
  });
  afterEach(() => rmSync(join(folder, 'config.json'), { force: true }));
  afterAll(async () => {
    delete process.env.DOCKER_CONFIG;
    await open.stop();
    await closed.stop();
    rmSync(folder, { recursive: true });
  });

  it('makes a manifest that names the configuration and layers of the archive', async () => {
    const { tar, id } = archiveOf('service');
    const registry = parseRegistry(`${open.host}/team/slipway`);
    const digest = await pushImage(registry, { tar, name: 'service', tag: 'abc' });
    const { text } = await manifestOf(open.host, 'team/slipway/service', digest);
    expect(sha256(text)).toBe(digest);
    expect(await manifestOf(open.host, 'team/slipway/service', 'abc')).toEqual({ status: 200, text });
    const { config, layers } = JSON.parse(text);
    expect(config.digest).toBe(id);
    const blob = async (of: string) =>
      Buffer.from(
        await (await fetch(`http://${open.host}/v2/team/slipway/service/blobs/${of}`)).arrayBuffer(),
      );
    const { rootfs } = JSON.parse((await blob(config.digest)).toString());
    expect(rootfs.diff_ids).toEqual([sha256(gunzipSync(await blob(layers[0].digest)))]);
  });

  it('is the same image a second time, and another one under the same tag replaces it', async () => {
    const registry = parseRegistry(open.host);
    const push = (text: string) =>
      pushImage(registry, { ...archiveOf('moves', text), name: 'moves', tag: '1' });
    const first = await push('one');
    expect(await push('one')).toBe(first);
    const second = await push('two');
    expect(second).not.toBe(first);
    expect(sha256((await manifestOf(open.host, 'moves', '1')).text)).toBe(second);
  });

  it('uses the login of docker, and says what to do without one or with one that is refused', async () => {
    const registry = parseRegistry(`${closed.host}/slipway`);
    const push = () => pushImage(registry, { ...archiveOf('private'), name: 'private', tag: '1' });
    await expect(push()).rejects.toThrow(`log in with \`docker login ${closed.host}\``);
    logIn(closed.host, 'wrong');
    await expect(push()).rejects.toThrow(`your login at ${closed.host} may not push there`);
    logIn(closed.host, registryUser.password);
    expect(await push()).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('gives the chart the digests of all images of this checkout', async () => {
    const built = (name: string) => ({
      ...archiveOf(name),
      repository: `localhost/slipway/${name}`,
      tag: 'abc',
    });
    const images = {
      service: built('service'),
      evmDev: built('evm-dev'),
      compilers: built('compilers'),
      heavy: { geth: built('geth') },
    };
    const pushed = await pushImages(parseRegistry(`${open.host}/team`), images);
    const access = { gatewayUrl: 'http://slipway.example', ingressClass: 'any' };
    const manifests = await renderChart(chartValues(access, pushed, ['geth']));
    const engines = chartEnginesOf(manifests);
    const published = entriesOf(pushed.heavy).get('geth');
    const [container] = find(manifests, 'Deployment', '-operator').spec.template.spec.containers;
    const [compilers] = find(manifests, 'Deployment', '-compilers').spec.template.spec.containers;
    for (const [name, image] of [
      ['service', container.image],
      ['evm-dev', engines['evm-dev']?.image],
      ['geth', published?.state === 'Available' ? published.image : ''],
      ['compilers', compilers.image],
    ]) {
      const [, digest] = String(image).split('@');
      expect(image).toBe(`${open.host}/team/${name}@${digest}`);
      expect((await manifestOf(open.host, `team/${name}`, digest ?? '')).status).toBe(200);
    }
  });
});
