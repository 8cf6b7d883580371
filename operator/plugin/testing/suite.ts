import { annotations } from '../../../core/api/names.ts';
import type { NetworkResource, NetworkSpec } from '../../../core/api/resources/network.ts';
import type { PluginConfig, PluginName } from '../../../core/api/resources/plugins.ts';
import { evmDrivers } from '../../../core/chains/evm/drivers.ts';
import { startAnvil } from '../../../core/chains/evm/testing/startAnvil.ts';
import { planContext } from '../../../core/chains/testing/planContext.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { coreSecretType } from '../../../core/kube/types.ts';
import type { Plugin } from '../../../core/plugins/plugin.ts';
import { isOfPlugin } from '../../network/render/childNames.ts';
import { credentialsName } from '../secrets.ts';
import { companionOf } from './companion.ts';
import { type Deaths, surviveDeaths } from './deaths.ts';
import { readsForkSource } from './engineRoom.ts';
import { once, openPluginStage, type PluginStage, type StageOptions } from './stage.ts';

export interface ClusterCase {
  plugin: Plugin;
  config: PluginConfig;
  /** What its services answer to its steps. */
  answer?: StageOptions['answer'];
  /** The credentials that are not secrets: its status reports them too. */
  openCredentials?: readonly string[];
  deaths: Deaths;
}

/**
 * What every plugin must do in a cluster: with a real kube-apiserver, a real chain, and pods that are ready as soon as they
 * exist. Its own software runs in the tests of its engine.
 */
export function describePluginInCluster(
  cluster: Kube,
  { plugin, config, answer, deaths, openCredentials = [] }: ClusterCase,
): void {
  const { name } = plugin;
  const companion = companionOf(name);
  const registry = { [name]: plugin, [companion.name]: companion };
  const options = { registry, ...(answer ? { answer } : {}) };
  const withPlugins = (plugins: object): NetworkSpec['chain'] => ({
    type: 'Ethereum',
    ethereum: { privateKeyRef: { name: 'key' }, plugins },
  });
  const chain = withPlugins({ [name]: config });

  async function onStage(act: (stage: PluginStage) => Promise<void>, more: Partial<StageOptions> = {}) {
    const stage = await openPluginStage(cluster, { ...options, ...more });
    const operator = stage.operate();
    try {
      await act(stage);
    } finally {
      await operator.stop();
      await stage.close();
    }
  }

  const entryOf = ({ status }: NetworkResource, which: PluginName = name) => status?.plugins?.[which];
  const isReady = (network: NetworkResource) => isOperational(network) && entryOf(network)?.state === 'Ready';
  const isNewlyReady = (former: string | undefined) => (network: NetworkResource) =>
    isReady(network) && entryOf(network)?.deployment !== former;
  const isGone = (stage: PluginStage) => (network: NetworkResource) =>
    isOperational(network) && entryOf(network) === undefined && !stage.children().some(isOfPlugin);

  async function ready(stage: PluginStage, spec: Partial<NetworkSpec> = {}) {
    await stage.create({ chain, ...spec });
    return stage.reach(isReady);
  }

  async function expectOnChain(stage: PluginStage, network: NetworkResource): Promise<void> {
    for (const address of Object.values(entryOf(network)?.addresses ?? {})) {
      const rpc = stage.rpcOf(network.metadata.uid ?? '');
      const used = await Promise.all([
        stage.codeAt(address),
        rpc?.call('eth_getBalance', [address, 'latest']),
        rpc?.call('eth_getTransactionCount', [address, 'latest']),
      ]);
      expect([address, used.some((text) => text !== '0x' && text !== '0x0')]).toEqual([address, true]);
    }
  }

  it('comes to a running network and leaves it, and its chain takes no notice', async () => {
    await onStage(async (stage) => {
      await stage.create({ chain: withPlugins({}) });
      const before = await stage.reach(isOperational);
      const pod = stage.podOf('rpc')?.metadata.uid;
      const states = new Set<string | undefined>();
      const stop = stage.watch(({ status }) => void states.add(status?.state));
      await stage.patch({ spec: { chain } });
      const added = await stage.reach((one) => isReady(one) && conditionOf(one, name)?.status === 'True');
      await expectOnChain(stage, added);
      expect(Object.keys(added.status?.endpoints ?? {})).toEqual(
        expect.arrayContaining(publicServicesOf(plugin, config)),
      );
      expect(stage.pods().filter(readsForkSource)).toEqual([]);
      await stage.patch({ spec: { chain: { ethereum: { plugins: null } } } });
      const removed = await stage.reach((one) => isGone(stage)(one) && !conditionOf(one, name));
      expect(removed.status?.plugins).toBeUndefined();
      const secret = { namespace: stage.namespace, name: credentialsName(removed, name) };
      expect(await stage.kube.get(coreSecretType, secret)).toBeUndefined();
      stop();
      expect([...states]).toEqual(['Operational']);
      expect(removed.status?.enclaveID).toBe(before.status?.enclaveID);
      expect(stage.podOf('rpc')?.metadata.uid).toBe(pod);
      await stage.patch({ spec: { chain } });
      await stage.reach(isNewlyReady(entryOf(added)?.deployment));
    });
  });

  it('tells no secret to readers of the workspace but in its Secrets', async () => {
    await onStage(async (stage) => {
      const network = await ready(stage);
      const secret = { namespace: stage.namespace, name: credentialsName(network, name) };
      const { data = {} } = (await stage.kube.get(coreSecretType, secret)) ?? {};
      const open = JSON.stringify([network, stage.children()]);
      for (const [one, text] of Object.entries(data))
        if (!openCredentials.includes(one))
          expect(open).not.toContain(Buffer.from(text, 'base64').toString());
      const told = entryOf(network)?.values?.credentials;
      expect(told).toBe(Object.keys(data).length > 0 ? secret.name : undefined);
    });
  });

  it('goes on after a Restart, with the same contracts', async () => {
    await onStage(async (stage) => {
      const before = await ready(stage);
      const sent = await stage.sent();
      await stage.patch({ spec: { maintenanceRequest: { action: 'Restart', nonce: 7 } } });
      const isRestarted = () =>
        stage.pods().every(({ spec }) => (spec.ephemeralContainers ?? []).length === 1);
      const after = await stage.reach(
        (one) => isReady(one) && one.status?.observedMaintenanceNonce === 7 && isRestarted(),
      );
      expect(entryOf(after)).toEqual(entryOf(before));
      expect(await stage.sent()).toBe(sent);
    });
  });

  it('starts from scratch on the chain of a ResetState, without its former data', async () => {
    await onStage(async (stage) => {
      const before = await ready(stage);
      const pods = uidsOf(stage);
      await stage.patch({ spec: { maintenanceRequest: { action: 'ResetState', nonce: 8 } } });
      const after = await stage.reach(isNewlyReady(entryOf(before)?.deployment));
      expect(uidsOf(stage).filter((uid) => pods.includes(uid))).toEqual([]);
      await expectOnChain(stage, after);
    });
  });

  it('starts from scratch after the Resync of a fork, and never reads its source', async () => {
    const [part] = evmDrivers.Ethereum.plan({
      chain: { type: 'Ethereum' },
      chainId: '1',
      mnemonicAddresses: [],
      ...planContext,
    }).parts;
    if (!part) throw new Error('no engine');
    const source = await startAnvil(part);
    const forking = { enabled: true, blockHeight: '0' };
    const fork = { privateKeyRef: { name: 'key' }, ...chain.ethereum, forking };
    try {
      await onStage(
        async (stage) => {
          const before = await ready(stage, { chain: { ...chain, ethereum: fork } });
          expect(stage.pods().filter(readsForkSource).map(isOfPlugin)).toEqual([false]);
          await stage.patch({ spec: { maintenanceRequest: { action: 'Resync', nonce: 9 } } });
          await expectOnChain(stage, await stage.reach(isNewlyReady(entryOf(before)?.deployment)));
        },
        { forkUrl: source.url },
      );
    } finally {
      await source.stop();
    }
  });

  it('stops with its network and starts from scratch when that wakes', async () => {
    await onStage(async (stage) => {
      const before = await ready(stage);
      await stage.patch({ status: { lastWakeUpAt: '2020-01-01T00:00:00Z' } }, 'status');
      const stopped = await stage.reach(
        ({ status }) => status?.state === 'Stopped' && stage.pods().length === 0,
      );
      expect(stopped.status?.state).toBe('Stopped');
      await stage.patch({ metadata: { annotations: { [annotations.wake]: once() } } });
      await expectOnChain(stage, await stage.reach(isNewlyReady(entryOf(before)?.deployment)));
    });
  });

  it('outlives the pods of a persistent network, with its data and contracts', async () => {
    await onStage(async (stage) => {
      const before = await ready(stage, { persistent: true });
      const [pods, sent] = [uidsOf(stage), await stage.sent()];
      const claims = () => stage.children().filter(({ kind }) => kind === 'PersistentVolumeClaim');
      const volumes = claims().map(({ metadata }) => metadata.uid);
      await stage.loseEveryPod();
      const isReplaced = () =>
        !uidsOf(stage).some((uid) => pods.includes(uid)) && stage.pods().length === pods.length;
      const after = await stage.reach((one) => isReady(one) && isReplaced());
      expect(claims().map(({ metadata }) => metadata.uid)).toEqual(volumes);
      expect(entryOf(after)).toEqual(entryOf(before));
      expect(await stage.sent()).toBe(sent);
    });
  });

  it('starts from scratch when the chain is lost with its pod', async () => {
    await onStage(async (stage) => {
      const before = await ready(stage);
      await stage.loseEveryPod();
      await expectOnChain(stage, await stage.reach(isNewlyReady(entryOf(before)?.deployment)));
    });
  });

  it('does again what a rollback of the chain removed', async () => {
    await onStage(async (stage) => {
      await stage.create({ chain: withPlugins({}) });
      const { metadata } = await stage.reach(isOperational);
      await stage.serves(metadata.uid);
      const rpc = async (method: string, params: unknown[]) =>
        stage.rpcOf(metadata.uid)?.call(method, params);
      const snapshot = await rpc('evm_snapshot', []);
      await stage.patch({ spec: { chain } });
      await stage.reach(isReady);
      const sent = await stage.sent();
      // The operator may notice the rollback before the answer to the call is here.
      const states: (string | undefined)[] = [];
      const stop = stage.watch((one) => void states.push(entryOf(one)?.state));
      await rpc('evm_revert', [snapshot]);
      await stage.patch({ metadata: { annotations: { looked: 'at' } } });
      const after = await stage.reach((one) => isReady(one) && (sent === 0 || states.includes('Pending')));
      stop();
      await expectOnChain(stage, after);
    });
  });

  it('works beside another plugin that uses what it reports', async () => {
    await onStage(async (stage) => {
      await stage.create({ chain: withPlugins({ [name]: config, [companion.name]: {} }) });
      const both = await stage.reach(
        (one) => isReady(one) && entryOf(one, companion.name)?.state === 'Ready',
      );
      expect(entryOf(both, companion.name)?.addresses?.contract).toMatch(/^0x/);
      await expectOnChain(stage, both);
      await stage.patch({ spec: { chain: { ethereum: { plugins: { [name]: null } } } } });
      const alone = await stage.reach(
        (one) => entryOf(one) === undefined && entryOf(one, companion.name)?.state === 'Ready',
      );
      expect(Object.keys(alone.status?.plugins ?? {})).toEqual([companion.name]);
    });
  });

  it('that cannot run says so with the remedy, and its network runs', async () => {
    const refusing: Plugin = { ...plugin, refuse: () => [{ path: '', message: 'needs more: add it' }] };
    await onStage(
      async (stage) => {
        await stage.create({ chain });
        const network = await stage.reach(
          (one) => isOperational(one) && conditionOf(one, name)?.reason === 'Failed',
        );
        expect(entryOf(network)).toMatchObject({
          state: 'Error',
          message: expect.stringContaining(`plugins.${name}: needs more: add it`),
        });
      },
      { registry: { [name]: refusing } },
    );
  });

  it('ends up as if no operator had died, whichever write one dies at', async () => {
    const stage = await openPluginStage(cluster, options);
    try {
      const calm = await openPluginStage(cluster, options);
      const operator = calm.operate();
      const expected = await ready(calm);
      const sent = await calm.sent();
      await operator.stop();
      await calm.close();
      await stage.create({ chain });
      const lives = await surviveDeaths(stage, isReady, deaths);
      expect(lives).toBeGreaterThan(5);
      const found = stage.network();
      if (!found) throw new Error('the network is gone');
      expect(Object.keys(entryOf(found)?.addresses ?? {})).toEqual(
        Object.keys(entryOf(expected)?.addresses ?? {}),
      );
      await expectOnChain(stage, found);
      expect(await stage.sent()).toBe(sent);
    } finally {
      await stage.close();
    }
  });
}

const isOperational = ({ status, metadata }: NetworkResource) =>
  status?.state === 'Operational' && status.observedGeneration === metadata.generation;

function conditionOf({ status }: NetworkResource, name: PluginName) {
  const type = `Plugin${name.charAt(0).toUpperCase()}${name.slice(1)}Ready`;
  return status?.conditions?.find((one) => one.type === type);
}

const uidsOf = (stage: PluginStage) => stage.pods().map(({ metadata }) => metadata.uid);

function publicServicesOf(plugin: Plugin, config: PluginConfig): string[] {
  const services = Object.entries(plugin.services(config));
  return services.filter(([, { needs }]) => needs === 'public').map(([service]) => service);
}
