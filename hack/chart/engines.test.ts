import { engineNames } from '../../core/api/engines.ts';
import { version } from '../../core/version.ts';
import { chartEnginesOf, find, helmSkipReason, type Manifest, renderChart } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;

/** What a change of which replaces pods. */
const podTemplates = (manifests: Manifest[]) =>
  manifests
    .filter(({ spec }) => spec?.template !== undefined)
    .map(({ kind, metadata, spec }) => [kind, metadata.name, spec.template]);

suite(`engines in the chart${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  const engineIn = async (values: object, name: (typeof engineNames)[number]) =>
    chartEnginesOf(await renderChart(values))[name];

  it('are all known, each with an image', async () => {
    const engines = chartEnginesOf(await renderChart());
    expect(Object.keys(engines).sort()).toEqual([...engineNames].sort());
    expect(engines['evm-dev']).toMatchObject({
      image: `slipway/evm-dev:${version}`,
      pullPolicy: 'IfNotPresent',
      resources: { limits: { memory: '2Gi' } },
    });
    expect(Object.entries(engines).filter(([, { image }]) => image === undefined)).toEqual([]);
  });

  it('keep resources and allowed images without an image, for one that others provide', async () => {
    const geth = await engineIn({ engines: { geth: { repository: '' } } }, 'geth');
    expect(geth).toEqual({
      pullPolicy: 'IfNotPresent',
      resources: { requests: { cpu: '20m', memory: '128Mi' }, limits: { memory: '1Gi' } },
      allowedImages: ['ethereum/client-go:*'],
    });
  });

  it('that are set to null are not known', async () => {
    expect(await engineIn({ engines: { geth: null } }, 'geth')).toBeUndefined();
  });

  it('give programs of plugins the image of the service, unless they have one of their own', async () => {
    const imageOf = async (values: object) => (await engineIn(values, 'service'))?.image;
    expect(await imageOf({ image: { repository: 'mine/service', tag: 'v7' } })).toBe('mine/service:v7');
    expect(await imageOf({ engines: { service: { repository: 'other', tag: 'v8' } } })).toBe('other:v8');
  });

  it('replace no pod when they change', async () => {
    const usual = await renderChart();
    const limits = { memory: '7Gi' };
    const changed = await renderChart({
      engines: {
        'evm-dev': { repository: 'other/evm-dev', tag: 'v9' },
        geth: { repository: '' },
        reth: { resources: { limits }, allowedImages: [] },
      },
    });
    expect(chartEnginesOf(changed).reth?.resources?.limits).toEqual(limits);
    expect(podTemplates(changed)).toEqual(podTemplates(usual));
  });

  it('are not the only thing in the configuration: a change of the rest replaces pods', async () => {
    const usual = podTemplates(await renderChart());
    for (const values of [{ rpc: { holdSeconds: 7 } }, { forkSources: { Ethereum: 'https://a.example' } }])
      expect(podTemplates(await renderChart(values))).not.toEqual(usual);
  });

  it('are still in the configuration of the former version, whose replicas may start again while they are replaced', async () => {
    const manifests = await renderChart({ engines: { geth: { repository: '' } } });
    const text = find(manifests, 'ConfigMap', '-config').data?.['config.json'] ?? '';
    const { engines } = JSON.parse(text);
    expect(engines['evm-dev'].image).toBe(`slipway/evm-dev:${version}`);
    expect(engines).not.toHaveProperty('geth');
  });
});
