import { readFileSync } from 'node:fs';
import { childTypeOf } from '../../core/kube/apply/childTypes.ts';
import { createKube } from '../../core/kube/client/client.ts';
import { podType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { inParallel } from '../../core/lib/work/inParallel.ts';
import { usageOf } from '../lib/usage.ts';
import type { Family } from './children.ts';

/**
 * `bareLoop.ts <kubeconfig> <families.json> <width>`: only creates the objects in the file, `width` networks at a time,
 * in the same order as the operator: files and Service, then pods. Prints `begin`, then its resource usage.
 */
const [kubeconfigPath = '', file = '', width = '1'] = process.argv.slice(2);
const kube = createKube({ kubeconfigPath, log: silentLog, clock: systemClock });
const families: Family[] = JSON.parse(readFileSync(file, 'utf8'));

await kube.list(podType, { limit: 1 });
console.log('begin');
await inParallel(families, Number(width), async ({ files, pods }) => {
  for (const step of [files, pods]) {
    await Promise.all(step.map((object) => kube.create(childTypeOf(object), object)));
  }
});
console.log(JSON.stringify(usageOf(process.pid)));
await kube.close();
