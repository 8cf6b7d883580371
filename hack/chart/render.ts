import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { projectRoot } from '../lib/paths.ts';
import { run, tryRun } from '../lib/run.ts';
import { isBuilt, toolPath } from '../tools/build.ts';

/** The parts of a manifest that the chart's tests look at; the rest is there as well. */
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

const chart = join(projectRoot, 'charts', 'slipway');
const namespace = 'slipway-system';

/** Why the chart's tests cannot run here; undefined when they can. */
export function whyNoHelm(): string | undefined {
  return isBuilt('helm') ? undefined : 'helm is not built yet: `make up` does it';
}

/** All manifests that helm makes from `values`, hooks and tests included. Rejects what the schema refuses. */
export async function renderChart(values: object = {}): Promise<Manifest[]> {
  const text = await helm('template', values);
  return parseAllDocuments(text).flatMap((document) => {
    const manifest: Manifest | null = document.toJS();
    return manifest ? [manifest] : [];
  });
}

/** What `helm template` says when it refuses `values`; empty when it takes them. */
export async function refusalOf(values: object): Promise<string> {
  const { code, output } = await tryRun(toolPath('helm'), helmArgs('template'), {
    input: JSON.stringify(values),
  });
  return code === 0 ? '' : output;
}

/** Runs `helm lint --strict` and answers what it says. */
export async function lintChart(): Promise<string> {
  return run(toolPath('helm'), ['lint', '--strict', chart]);
}

/** The one manifest of a kind whose name ends like this. */
export function find(manifests: Manifest[], kind: string, nameEnd: string): Manifest {
  const found = manifests.filter(
    (manifest) => manifest.kind === kind && manifest.metadata.name.endsWith(nameEnd),
  );
  const [first] = found;
  if (!first || found.length > 1) throw new Error(`${found.length} × ${kind} …${nameEnd}`);
  return first;
}

/** Text of one key of a Secret. */
export function secretText(secret: Manifest, key: string): string {
  return Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8');
}

function helm(command: string, values: object): Promise<string> {
  return run(toolPath('helm'), helmArgs(command), { input: JSON.stringify(values) });
}

function helmArgs(command: string): string[] {
  return [command, 'slipway', chart, '--namespace', namespace, '--values', '-'];
}
