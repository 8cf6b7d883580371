import { createHash, randomBytes } from 'node:crypto';
import type { Wallet } from 'ethers';
import { idOf } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { PluginName } from '../../core/api/resources/plugins.ts';
import { connectTestChain } from '../../core/chains/evm/testing/testChain.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { secretDataOf } from '../../core/kube/objects.ts';
import type { Plugin, PluginStepsInput } from '../../core/plugins/plugin.ts';
import { plugins } from '../../core/plugins/registry.ts';
import { createStage, performSteps } from '../../core/plugins/testing/performSteps.ts';
import { getJson, kubectl } from '../../e2e/lib/cluster.ts';
import { tokenContractsForTests } from '../../hack/contracts/forTests.ts';
import { fileKeyOf, nameOfPart } from '../../operator/network/render/childNames.ts';
import { bareOf } from './model.ts';

const label = 'bench.local';
const contracts = tokenContractsForTests();
const deriveSecret = (purpose: string) => createHash('sha256').update(`bench/${purpose}`).digest('hex');

/** The objects of a plugin of a running network, as somebody would write them who runs its software without Slipway. */
export interface PluginModel {
  name: PluginName;
  network: Stored<NetworkResource>;
  /** The Service of the chain, which stays when the plugin goes. */
  chain: { service: string; address: string };
  // biome-ignore lint/suspicious/noExplicitAny: objects of any kind
  objects: any[];
}

/** Reads the objects of a plugin while it runs. */
export async function pluginModelOf(
  network: Stored<NetworkResource>,
  name: PluginName,
): Promise<PluginModel> {
  const ofNetwork = `slipway.dev/network=${idOf(network)}`;
  const selector = `${ofNetwork},slipway.dev/plugin=${name}`;
  const kinds = 'configmaps,secrets,services,persistentvolumeclaims,pods';
  const { items } = await getJson(kinds, '--selector', selector);
  const [rpc] = (await getJson('pods', '--selector', `${ofNetwork},slipway.dev/part=rpc`)).items;
  const services = (await getJson('services', '--selector', ofNetwork)).items;
  const service = services.find(
    ({ spec }: { spec: { ports?: object[]; selector: Record<string, string> } }) =>
      spec.ports && spec.selector['slipway.dev/part'] === 'rpc',
  );
  const objects = items.filter(isOfSoftware).map(bareOf);
  return { name, network, objects, chain: { service: service.metadata.name, address: rpc.status.podIP } };
}

/** Users sign in with its credentials; the software does not need them. */
const isOfSoftware = ({ metadata }: { metadata: { name: string } }) =>
  !metadata.name.endsWith('-credentials');

/**
 * Creates the software with kubectl beside the same chain, waits until the kubelet says that it is ready, and then takes
 * the same steps with the wallet. Returns the milliseconds; everything but the contracts is deleted again.
 */
export async function measurePluginByHand(model: PluginModel, wallet: Wallet): Promise<number> {
  const own = `bench-${randomBytes(4).toString('hex')}`;
  const selector = `${label}/network=${own}`;
  const plugin: Plugin | undefined = plugins[model.name];
  if (!plugin) throw new Error(`there is no plugin ${model.name}`);
  const input = inputOf(model, own, wallet.address);
  const plan = plugin.plan(input);
  const objects = objectsOf(model, own, plan);
  const chain = connectTestChain(
    { url: `http://${model.chain.address}:8545`, stop: async () => undefined },
    { chainId: input.chain.chainId, wallet },
  );
  const startMs = performance.now();
  try {
    if (plan.parts.length > 0) {
      await successful(['create', '--filename', '-'], objects);
      await successful(['wait', 'pods', '--selector', selector, '--for=condition=Ready', '--timeout=180s']);
    }
    const urls = await urlsOf(plugin, input, selector);
    await performSteps(plugin.steps?.(input) ?? [], createStage(chain), urls);
    return performance.now() - startMs;
  } finally {
    await chain.stop();
    const kinds = 'pods,services,configmaps,secrets,persistentvolumeclaims';
    await kubectl(['delete', kinds, '--selector', selector, '--grace-period=1']);
  }
}

function inputOf({ network, chain, name }: PluginModel, own: string, account: string): PluginStepsInput {
  const authority = `${chain.service}:8545`;
  const rename = (text: string) => text.replaceAll(network.metadata.name, own);
  return {
    config: {},
    chain: {
      type: network.spec.chain.type,
      chainId: network.status?.chainID ?? '',
      rpcUrl: `http://${authority}`,
      wsUrl: `ws://${authority}`,
    },
    others: [],
    deriveSecret,
    hostOf: (part) => rename(nameOfPart(network, `${name}-${part}`, name)),
    network: { id: idOf(network), incarnation: own },
    accounts: { deployer: account, service: account },
    contracts,
  };
}

/** The model's objects under another name, with the files and the secrets of a plan of their own. */
function objectsOf(
  { objects, network, chain, name }: PluginModel,
  own: string,
  plan: ReturnType<Plugin['plan']>,
) {
  const files = Object.fromEntries(
    plan.parts.flatMap((part) => Object.entries(part.files).map(([path, text]) => [fileKeyOf(path), text])),
  );
  const secrets = secretDataOf(
    Object.fromEntries(
      Object.entries(plan.secrets ?? {}).map(([secret, text]) => [`${name}-${secret}`, text]),
    ),
  );
  const items = objects.map((object) => {
    if (object.kind === 'ConfigMap') return { ...object, data: pick(files, Object.keys(object.data)) };
    return object.kind === 'Secret' ? { ...object, data: secrets } : object;
  });
  const marked = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
    .replaceAll(nameOfPart(network, 'rpc'), '@chain@')
    .replaceAll(chain.service, '@chain@');
  return marked
    .replaceAll(idOf(network), own)
    .replaceAll(network.metadata.uid, own)
    .replaceAll(network.metadata.name, own)
    .replaceAll('slipway.dev/', `${label}/`)
    .replaceAll('@chain@', chain.service);
}

const pick = (all: Record<string, string>, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, all[name] ?? '']));

/** The addresses of the plugin's services at its pods. */
async function urlsOf(plugin: Plugin, { config, ...input }: PluginStepsInput, selector: string) {
  const { parts } = plugin.plan({ config, ...input });
  const { items } = await getJson('pods', '--selector', selector);
  const addressOf = (part: string): string =>
    items.find(
      ({ metadata }: { metadata: { labels: Record<string, string> } }) =>
        metadata.labels[`${label}/part`] === `${plugin.name}-${part}`,
    )?.status.podIP;
  const urls = Object.entries(plugin.services(config)).map(([service, { part, port }]) => {
    const number = parts.find((one) => one.name === part)?.ports[port];
    return [service, `http://${addressOf(part)}:${number}`];
  });
  return Object.fromEntries(urls);
}

async function successful(args: string[], text?: string): Promise<void> {
  const { code, stderr } = await kubectl(args, text);
  if (code !== 0) throw new Error(stderr);
}
