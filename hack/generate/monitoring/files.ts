import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ZodType, z } from 'zod';
import { features } from '../../../features/features.ts';
import { projectRoot } from '../../lib/paths.ts';
import { readYaml } from '../../lib/yaml.ts';

const text = z.string().min(1);

const alertSchema = z.strictObject({
  alert: text,
  /** PromQL. */
  expr: text,
  for: text,
  /** critical: somebody should look now; warning: today. */
  severity: z.enum(['critical', 'warning']),
  summary: text,
});

const panelSchema = z.strictObject({
  row: text,
  title: text,
  description: text,
  /** As Grafana names units. */
  unit: text,
  /** What has to happen before there is anything to show, where that is more than requests and networks. */
  needs: z.enum(['calls to engines', 'forks', 'webhooks', 'transactions']).optional(),
  /** PromQL. Grafana chooses $__rate_interval so that it fits the scrapes. */
  queries: z.array(z.strictObject({ expr: text, legend: text })).min(1),
});
export type Panel = z.infer<typeof panelSchema>;

/** Those of the mission, and then those of features, from the files in their folders. */
export const alerts = readAll('alerts.yaml', alertSchema);
/** A panel of a feature is at the end of its row. */
export const panels = readAll('panels.yaml', panelSchema);

function readAll<T>(name: string, schema: ZodType<T>): T[] {
  const folders = Object.keys(features).map((feature) => `features/${feature}/monitoring`);
  return ['hack/generate/monitoring', ...folders]
    .map((folder) => `${folder}/${name}`)
    .filter((file) => existsSync(join(projectRoot, file)))
    .flatMap((file) => readYaml(file, z.array(schema)));
}
