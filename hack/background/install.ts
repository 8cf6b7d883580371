import { cpSync, rmSync } from 'node:fs';
import { cachePath } from '../lib/paths.ts';
import type { HeavyEngine } from '../up/heavyEngines.ts';
import { archivesOf, buildHeavyImages } from '../up/images.ts';
import { addValues, chart } from '../up/release.ts';
import { linkTools } from '../up/tools.ts';
import { bringUpCluster } from '../up/up.ts';
import { engineValues } from '../up/values.ts';

const keptChart = cachePath('background-chart');

/** Keeps the chart as it is installed now: the checkout may change while engines are built. */
export function keepChart(): void {
  rmSync(keptChart, { recursive: true, force: true });
  cpSync(chart, keptChart, { recursive: true });
}

/** Puts an engine that is in the cache into the installation, and changes nothing else there. */
export async function installEngine(engine: HeavyEngine): Promise<void> {
  const cluster = await bringUpCluster(process.env.CLUSTER || 'auto');
  const images = await buildHeavyImages([engine]);
  await cluster.loadImages(archivesOf(Object.values(images)));
  const tools = { ...(await linkTools()), kubeconfig: cluster.kubeconfig };
  await addValues(tools, { chart: keptChart, values: { engines: engineValues(images) } });
}
