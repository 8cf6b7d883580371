import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterSchemas } from '../hack/chart/clusterSchemas.ts';
import { ensureTools } from '../hack/tools/ensure.ts';
import { releaseName, releaseNamespace } from '../hack/up/names.ts';
import { getJson, helm, kubectl, runProgram } from './lib/cluster.ts';

const root = join(import.meta.dirname, '..');
const chart = join(root, 'charts', 'slipway');
const examples = join(root, 'docs', 'examples');
const inRelease = ['--namespace', releaseNamespace];

let kubeconform: string;
let schemas: string;

beforeAll(async () => {
  ({ kubeconform } = await ensureTools(['kubeconform']));
  schemas = mkdtempSync(join(tmpdir(), 'slipway-schemas-'));
  const { stdout } = await kubectl(['get', '--raw', '/openapi/v2']);
  for (const [name, text] of clusterSchemas(JSON.parse(stdout))) writeFileSync(join(schemas, name), text);
});

afterAll(() => rmSync(schemas, { recursive: true, force: true }));

/** Runs kubeconform on manifests with the schemas of this cluster, including our own resources. */
async function conform(manifests: string) {
  const location = `${schemas}/{{ .ResourceKind }}{{ .KindSuffix }}.json`;
  const args = ['-strict', '-summary', '-output', 'json', '-schema-location', location];
  const { stdout } = await runProgram(kubeconform, args, manifests);
  const { resources, summary } = JSON.parse(stdout);
  return { resources, ...summary };
}

describe('manifests validated with the schemas of the cluster', () => {
  it.each([
    ['with default values', {}],
    [
      'with an ingress and fork sources',
      { ingress: { enabled: true }, forkSources: { Base: 'https://a.example' } },
    ],
    ['with an uninstall that deletes all data', { crds: { keep: false } }],
  ])('of the chart are valid: %s', async (_how, values) => {
    const json = join(schemas, 'values.json');
    writeFileSync(json, JSON.stringify(values));
    const { stdout } = await helm(['template', releaseName, chart, ...inRelease, '--values', json]);
    const result = await conform(stdout);
    expect(result).toMatchObject({ resources: [], invalid: 0, errors: 0, skipped: 0 });
    expect(result.valid).toBeGreaterThan(25);
  });

  it.each(readdirSync(examples))('of the example %s are valid and accepted by the cluster', async (file) => {
    const args = ['apply', '--output', 'yaml', '--filename', join(examples, file)];
    const { stdout } = await kubectl([...args, '--dry-run=client']);
    const result = await conform(stdout);
    expect(result).toMatchObject({ resources: [], invalid: 0, errors: 0, skipped: 0 });
    const documents = readFileSync(join(examples, file), 'utf8').match(/^kind:/gm) ?? [];
    expect(result.valid).toBe(documents.length);
    expect(await kubectl([...args, '--dry-run=server'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('are rejected with an unknown field', async () => {
    const wrong = {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Network',
      metadata: { name: 'x' },
      spec: { chian: {} },
    };
    const result = await conform(JSON.stringify(wrong));
    expect(result.invalid).toBe(1);
    expect(JSON.stringify(result.resources)).toContain('chian');
  });
});

it('keys and pods do not change in an upgrade without changes', async () => {
  const read = (what: string) => getJson(what, ...inRelease);
  const stateOf = async () => ({
    keys: (await read(`secrets/${releaseName}-keys`)).data,
    bootstrap: (await read(`secrets/${releaseName}-bootstrap`)).data,
    certificate: (await read(`secrets/${releaseName}-webhook-tls`)).data,
    apiserver: (await read(`deployments/${releaseName}-apiserver`)).metadata.generation,
    operator: (await read(`deployments/${releaseName}-operator`)).metadata.generation,
  });
  const before = await stateOf();
  const { stdout } = await helm(['history', releaseName, ...inRelease, '--max', '1', '--output', 'json']);
  const [{ description }] = JSON.parse(stdout);
  // Keeps the description of the last revision, from which `make up` knows that there is nothing to do.
  const flags = ['--reuse-values', '--force-conflicts', '--wait', '--description', description];
  expect(await helm(['upgrade', releaseName, chart, ...inRelease, ...flags])).toMatchObject({ code: 0 });
  expect(await stateOf()).toEqual(before);
});
