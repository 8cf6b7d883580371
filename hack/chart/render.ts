import { join } from 'node:path';
import { parse } from 'yaml';
import { chartEngineSchema } from '../../core/api/engines.ts';
import { type Installation, installationSchema } from '../../core/api/installation.ts';
import { engineObjects } from '../../core/api/names.ts';
import type { ChartEngines } from '../../core/engines/engineSet.ts';
import { readEntries } from '../../core/engines/entries.ts';
import { projectRoot } from '../lib/paths.ts';
import { run, tryRun } from '../lib/run.ts';
import { isBuilt, toolPath } from '../tools/build.ts';

/** The parts of a manifest that the chart's tests read; the other members are present too. */
export interface Manifest {
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  data?: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: manifests of all kinds
  [member: string]: any;
}

export const chart = join(projectRoot, 'charts', 'slipway');
const namespace = 'slipway-system';

/** The reason that the chart's tests are skipped here; undefined when they can run. */
export function helmSkipReason(): string | undefined {
  return isBuilt('helm') ? undefined : 'helm is not built yet: run `make up`';
}

/** What helm has printed, by the values and the folder: most tests look at the same few installations. */
const rendered = new Map<string, Promise<string>>();

/**
 * All manifests that helm renders from `values`, including hooks and tests, with the chart in `folder`, or in an archive. Of a CRD only what is
 * before its spec. Throws when the schema rejects `values`.
 */
export async function renderChart(values: object = {}, folder = chart): Promise<Manifest[]> {
  const input = JSON.stringify(values);
  const key = `${folder} ${input}`;
  const text = rendered.get(key) ?? run(toolPath('helm'), helmArgs('template', folder), { input });
  rendered.set(key, text);
  return (await text).split(/^---$/m).flatMap((document) => {
    const manifest: Manifest | null = parse(withoutCrdSpec(document));
    return manifest ? [manifest] : [];
  });
}

/** Schemas are most of the chart's text, and take longest to parse. */
function withoutCrdSpec(document: string): string {
  const isCrd = /^kind: CustomResourceDefinition$/m.test(document);
  return isCrd ? document.slice(0, document.search(/^spec:$/m)) : document;
}

/** The output of `helm template` when it rejects `values`; empty when it accepts them. */
export async function helmErrorFor(values: object): Promise<string> {
  const { code, output } = await tryRun(toolPath('helm'), helmArgs('template'), {
    input: JSON.stringify(values),
  });
  return code === 0 ? '' : output;
}

/** The notes that helm prints after an installation with `values`. Asks the cluster only whether it is there. */
export async function notesOf(kubeconfig: string, values: object = {}): Promise<string> {
  const args = [...helmArgs('install'), '--dry-run=client', '--hide-secret', '--take-ownership'];
  const output = await run(toolPath('helm'), args, {
    input: JSON.stringify(values),
    env: { KUBECONFIG: kubeconfig },
  });
  return output.slice(output.indexOf('\nNOTES:'));
}

/** Runs `helm lint --strict` and returns its output. */
export async function lintChart(): Promise<string> {
  return run(toolPath('helm'), ['lint', '--strict', chart]);
}

/** The only manifest of `kind` whose name ends with `nameEnd`; throws when there are none or several. */
export function find(manifests: Manifest[], kind: string, nameEnd: string): Manifest {
  const found = manifests.filter(
    (manifest) => manifest.kind === kind && manifest.metadata.name.endsWith(nameEnd),
  );
  const [first] = found;
  if (!first || found.length > 1)
    throw new Error(`expected one ${kind} named *${nameEnd}, found ${found.length}`);
  return first;
}

/** The configuration that the chart gives to all processes. Throws when they cannot read it. */
export function configOf(manifests: Manifest[]): Installation {
  return installationSchema.parse(
    JSON.parse(find(manifests, 'ConfigMap', '-config').data?.['config.json'] ?? ''),
  );
}

/** What the chart wants of each engine. Throws when the processes would find anything wrong with it. */
export function chartEnginesOf(manifests: Manifest[]): ChartEngines {
  const { data = {} } = find(manifests, 'ConfigMap', engineObjects.chart);
  const { entries, problems } = readEntries(data, chartEngineSchema, {});
  if (problems.length > 0) throw new Error(problems.join('; '));
  return entries;
}

/** The decoded text of one key of a Secret. */
export function secretText(secret: Manifest, key: string): string {
  return Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8');
}

function helmArgs(command: string, folder = chart): string[] {
  return [command, 'slipway', folder, '--namespace', namespace, '--values', '-'];
}
