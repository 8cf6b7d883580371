import { configOf, find, helmErrorFor, helmSkipReason, type Manifest, renderChart } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;
const endpoint = 'http://collector.monitoring:4318';
const podOf = (manifests: Manifest[], name: string) => find(manifests, 'Deployment', name).spec.template.spec;
const portsOf = (manifests: Manifest[], name: string): number[] =>
  (find(manifests, 'NetworkPolicy', name).spec.egress ?? []).flatMap(
    ({ ports = [] }: { ports?: { port: number }[] }) => ports.map(({ port }) => port),
  );
const processes = ['-apiserver', '-operator'];

suite(`traces, by the chart${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  it('there are none by default, and nothing is opened or mounted for them', async () => {
    const manifests = await renderChart({ tracing: { headers: { secret: 'collector' } } });
    expect(configOf(manifests).tracing).toMatchObject({ endpoint: '', sampling: 1, trustCallers: false });
    for (const name of processes) {
      expect(JSON.stringify(podOf(manifests, name))).not.toContain('tracing');
      expect(portsOf(manifests, name)).not.toContain(4318);
    }
  });

  it('both processes know the collector and may reach it, and no other may', async () => {
    const tracing = { endpoint, sampling: 0.05, trustCallers: true, ca: 'PEM' };
    const manifests = await renderChart({ tracing, forkSources: { Ethereum: 'https://node.example' } });
    expect(configOf(manifests).tracing).toEqual({ ...tracing, hasHeaders: false });
    for (const name of processes) expect(portsOf(manifests, name)).toContain(4318);
    for (const name of ['-webhook', '-forks', '-compilers'])
      expect(portsOf(manifests, name)).not.toContain(4318);
  });

  it.each([
    ['http://collector', 80],
    ['https://collector.example.com/otlp', 443],
    ['https://[fd00::1]:9443', 9443],
  ])('the port of %s is %d', async (url, port) => {
    const manifests = await renderChart({ tracing: { endpoint: url } });
    for (const name of processes) expect(portsOf(manifests, name)).toContain(port);
  });

  it('headers are mounted from a Secret, so that they are in no ConfigMap', async () => {
    const headers = { secret: 'collector-token', key: 'text' };
    const manifests = await renderChart({ tracing: { endpoint, headers } });
    expect(configOf(manifests).tracing.hasHeaders).toBe(true);
    expect(find(manifests, 'ConfigMap', '-config').data?.['config.json']).not.toContain('collector-token');
    for (const name of processes) {
      const { volumes, containers } = podOf(manifests, name);
      expect(volumes.find((volume: Manifest) => volume.name === 'tracing').secret).toMatchObject({
        secretName: 'collector-token',
        optional: true,
        items: [{ key: 'text', path: 'headers' }],
      });
      expect(containers[0].volumeMounts).toContainEqual({
        name: 'tracing',
        mountPath: '/etc/slipway/tracing',
        readOnly: true,
      });
    }
  });

  it.each([
    ['an address without a scheme', { endpoint: 'collector:4318' }, 'endpoint'],
    ['a password in the address', { endpoint: 'http://user:password@collector:4318' }, 'endpoint'],
    ['a sample above 1', { endpoint, sampling: 5 }, 'sampling'],
    ['headers in plain text', { endpoint, headers: 'Authorization: x' }, 'headers'],
  ])('refuses %s', async (_what, tracing, message) => {
    expect(await helmErrorFor({ tracing })).toContain(message);
  });
});
