import type { NetworkResource } from '../core/api/resources/network.ts';
import { type PluginName, pluginNames } from '../core/api/resources/plugins.ts';
import type { Stored } from '../core/kube/kube.ts';
import { getJson } from '../e2e/lib/cluster.ts';
import { createHotKey, createNetwork, type HotKey, reach, remove } from '../e2e/lib/networks.ts';
import { call } from '../e2e/lib/service.ts';
import { desynchronize } from './lib/engine.ts';
import { workingSetOf } from './lib/model.ts';
import { measurePluginByHand, pluginModelOf } from './lib/pluginByHand.ts';
import { percentile, round, writeReport } from './lib/report.ts';
import { loadNow } from './lib/usage.ts';

/**
 * From adding a plugin to a running network until its condition is True, compared with the same software started by hand
 * beside the same chain: copies of its pods with keys of their own, and, once they are ready, the same steps with a
 * wallet. The two alternate on one network per plugin; `SAMPLES` sets how often, `PLUGINS` names some of them. Plugins whose
 * images the installation lacks are left out. On clusters that enforce NetworkPolicies, set networkPolicy.enabled to false.
 */
const samples = Number(process.env.SAMPLES ?? 3);
const wanted = process.env.PLUGINS?.split(' ') ?? pluginNames;
const aim = 1.3;
const limitMs = 300_000;
/** Long enough to stay within the rate limit of a default installation. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

async function setPlugins(id: string, plugins: object): Promise<void> {
  const { body } = await call('GET', `/v1alpha/networks/${id}`);
  const { ethereum } = body.spec.chain;
  const spec = { ...body.spec, chain: { ...body.spec.chain, ethereum: { ...ethereum, plugins } } };
  const { status, body: answer } = await call('PUT', `/v1alpha/networks/${id}`, {
    body: { name: body.name, spec },
  });
  if (status !== 200) throw new Error(answer.message);
}

/** Adds the plugin and returns the milliseconds until its condition is True. */
async function measureSlipway(id: string, name: PluginName): Promise<number> {
  const startMs = performance.now();
  await setPlugins(id, { [name]: {} });
  for (;;) {
    const { status } = (await call('GET', `/v1alpha/networks/${id}`)).body;
    const { state, message } = status.plugins?.[name] ?? {};
    if (state === 'Error') throw new Error(message);
    const type = `Plugin${name.charAt(0).toUpperCase()}${name.slice(1)}Ready`;
    const condition = status.conditions?.find((one: { type: string }) => one.type === type);
    if (condition?.status === 'True') return performance.now() - startMs;
    if (performance.now() - startMs > limitMs) throw new Error(`still ${message ?? state}`);
    await pause();
  }
}

async function removePlugin(id: string, name: PluginName): Promise<void> {
  await setPlugins(id, {});
  const selector = `slipway.dev/network=${id},slipway.dev/plugin=${name}`;
  while ((await getJson('pods', '--selector', selector)).items.length > 0) await pause();
}

async function resourceOf(id: string): Promise<Stored<NetworkResource>> {
  const { body } = await call('GET', `/v1alpha/networks/${id}`);
  return getJson('networks.slipway.dev', body.name);
}

async function measure(name: PluginName, key: HotKey): Promise<object> {
  const { status, body } = await createNetwork({ privateKeyRef: { name: key.name } });
  if (status !== 201) throw new Error(body.message);
  const { id } = body;
  const [slipway, byHand]: [number[], number[]] = [[], []];
  try {
    await reach(id, 'Operational');
    // The first time is not measured, because its programs are not in the page cache yet.
    await measureSlipway(id, name);
    const model = await pluginModelOf(await resourceOf(id), name);
    const memoryMiB = model.objects.some(({ kind }) => kind === 'Pod')
      ? await workingSetOf(`slipway.dev/network=${id},slipway.dev/plugin=${name}`)
      : 0;
    await removePlugin(id, name);
    for (let sample = 1; sample <= samples; sample += 1) {
      await desynchronize();
      byHand.push(await measurePluginByHand(model, key.wallet));
      await desynchronize();
      slipway.push(await measureSlipway(id, name));
      await removePlugin(id, name);
      const [hand, own] = [byHand, slipway].map((values) => round(values.at(-1) ?? Number.NaN, 0));
      console.log(`${name} ${sample}/${samples}: by hand ${hand} ms, Slipway ${own} ms`);
    }
    const p50 = (values: number[]) => round(percentile(values, 0.5), 0);
    const ratio = round(percentile(slipway, 0.5) / percentile(byHand, 0.5));
    return { ratio, slipwayP50Ms: p50(slipway), byHandP50Ms: p50(byHand), memoryMiB };
  } finally {
    await remove(id);
  }
}

const results: Record<string, object> = {};
const loadBefore = loadNow();
const key = await createHotKey();
for (const name of pluginNames.filter((one) => wanted.includes(one))) {
  try {
    results[name] = await measure(name, key);
  } catch (error) {
    results[name] = { leftOut: error instanceof Error ? error.message : String(error) };
    console.log(`skipping ${name}: ${String(error)}`);
  }
  // Written after each plugin, because the next one may take minutes.
  writeReport('plugins', { aim, samples, loadBefore, plugins: results });
}
console.log(JSON.stringify(results));
