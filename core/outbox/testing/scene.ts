import { randomBytes } from 'node:crypto';
import { Wallet } from 'ethers';
import { personalWorkspaceIdOf } from '../../accounts/ids.ts';
import { createSealer } from '../../accounts/seal.ts';
import { apiVersion, defaultKeyName, labels } from '../../api/names.ts';
import type { ChainType } from '../../api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../api/resources/network.ts';
import { networkType, secretType } from '../../api/resources/resources.ts';
import type { SecretResource } from '../../api/resources/secret.ts';
import { aNetwork } from '../../api/testing/builders.ts';
import { everyType } from '../../chains/evm/testing/everyType.ts';
import { type RunningAnvil, startAnvil } from '../../chains/evm/testing/startAnvil.ts';
import { planContext } from '../../chains/testing/planContext.ts';
import { readInstance } from '../../evm/instance.ts';
import { createEvmRpc } from '../../evm/rpc.ts';
import type { Kube } from '../../kube/kube.ts';
import { namespaceType } from '../../kube/types.ts';
import { compact } from '../../lib/compact.ts';

export const sceneSealer = createSealer({ currentId: 'k1', keys: new Map([['k1', Buffer.alloc(32, 7)]]) });

/** The address a node listens on. */
interface Endpoint {
  host: string;
  port: number;
}

/** A network with its node on this machine. */
export interface SceneNetwork {
  id: string;
  name: string;
  url: string;
  resource: NetworkResource;
}

/** A user with a default key and networks on which it holds funds, over a fake or a real Kube; no operator. */
export interface ChainScene {
  user: { userId: string; workspaceId: string; namespace: string };
  wallet: Wallet;
  /** The endpoints of the nodes, by network uid. */
  upstreams: {
    find(uid: string): Endpoint | undefined;
    onChange(listener: (uid: string) => void): () => void;
  };
  /** A network with its own node, or with a node at a given address. */
  addNetwork(name: string, options?: NetworkOptions): Promise<SceneNetwork>;
  /** Starts a new chain for the network: another node, another enclaveID. */
  reset(network: SceneNetwork): Promise<SceneNetwork>;
  /** Runs the network's node again on what it saved: when it was asked to stop, or by itself before it was killed. */
  again(network: SceneNetwork, end: 'restart' | 'crash'): Promise<SceneNetwork>;
  stop(): Promise<void>;
}

interface NetworkOptions {
  type?: ChainType;
  /** Instead of a node. */
  upstream?: Endpoint;
  args?: string[];
  enclaveID?: string;
  /** Whether the node also saves its chain while it runs. */
  isPersistent?: boolean;
}

const chainId = '1200000001';
/** Before the first rotation. */
const accessKeys = {
  public: { epoch: 0, observedNonce: 0 },
  admin: { epoch: 0, observedNonce: 0 },
};
const drivers = new Map(everyType);

export async function createChainScene(kube: Kube): Promise<ChainScene> {
  const suffix = randomBytes(4).toString('hex');
  const key = randomBytes(32);
  const wallet = new Wallet(`0x${key.toString('hex')}`);
  const userId = `ann-${suffix}`;
  const user = { userId, workspaceId: 'one', namespace: `ws-${suffix}` };
  const workspaceNamespace = `slipway-${personalWorkspaceIdOf(userId)}`;
  const endpoints = new Map<string, Endpoint>();
  const listeners = new Set<(uid: string) => void>();
  const anvils = new Map<string, RunningAnvil>();
  const persistent = new Set<string>();
  for (const name of [user.namespace, workspaceNamespace]) {
    await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  await kube.create(secretType, defaultKeyOf(workspaceNamespace, userId, key));

  async function run(uid: string, options: NetworkOptions) {
    const { type = 'Ethereum', upstream, args = [], isPersistent = false } = options;
    const part = drivers.get(type)?.plan({
      chain: { type },
      chainId,
      hotAddress: wallet.address,
      mnemonicAddresses: [],
      ...planContext,
    }).parts[0];
    if (!part) throw new Error(`no engine of type ${type}`);
    const engine = { ...part, args: [...part.args, ...args] };
    const anvil = upstream ? undefined : await startAnvil(engine, '', { isPersistent });
    await anvils.get(uid)?.stop();
    if (anvil) anvils.set(uid, anvil);
    return serve(uid, anvil?.url ?? `http://${upstream?.host}:${upstream?.port}`);
  }

  function serve(uid: string, url: string): string {
    const { hostname: host, port } = new URL(url);
    endpoints.set(uid, { host, port: Number(port) });
    for (const listener of listeners) listener(uid);
    return url;
  }

  const operational = async (enclaveID: string, url: string) => {
    const process = await readInstance(createEvmRpc({ url })).catch(() => undefined);
    const instance = { pod: `pod-${randomBytes(4).toString('hex')}`, restarts: 0, ...compact({ process }) };
    return { status: { state: 'Operational', enclaveID, chainID: chainId, accessKeys, instance } };
  };
  return {
    user,
    wallet,
    upstreams: {
      find: (uid) => endpoints.get(uid),
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    async addNetwork(name, options = {}) {
      const { namespace } = user;
      const created = await kube.create(networkType, aNetwork({ name, namespace }));
      const id = created.metadata.uid;
      // As the operator does.
      await kube.patch(networkType, { namespace, name }, { metadata: { labels: { [labels.id]: id } } });
      if (options.isPersistent) persistent.add(id);
      const url = await run(id, options);
      const enclaveID = options.enclaveID ?? `incarnation-${randomBytes(4).toString('hex')}`;
      const status = await operational(enclaveID, url);
      const resource = await kube.patch(networkType, { namespace, name }, status, 'status');
      return { id, name, url, resource };
    },
    async reset({ id, name, resource }) {
      const url = await run(id, { isPersistent: persistent.has(id) });
      const status = await operational(`incarnation-${randomBytes(4).toString('hex')}`, url);
      return { id, name, url, resource: await kube.patch(networkType, resource.metadata, status, 'status') };
    },
    async again({ id, name, resource }, end) {
      const anvil = await anvils.get(id)?.[end]();
      if (!anvil) throw new Error(`${name} has no node of its own`);
      anvils.set(id, anvil);
      const url = serve(id, anvil.url);
      const status = await operational(resource.status?.enclaveID ?? '', url);
      return { id, name, url, resource: await kube.patch(networkType, resource.metadata, status, 'status') };
    },
    async stop() {
      await Promise.all([...anvils.values()].map((anvil) => anvil.stop()));
      for (const name of [user.namespace, workspaceNamespace]) await kube.delete(namespaceType, { name });
    },
  };
}

/** Networks of three types whose rules differ. */
export function addThreeTypes({ addNetwork }: ChainScene, [a, b, c]: [string, string, string]) {
  return Promise.all([
    addNetwork(a, { type: 'Arbitrum' }),
    addNetwork(b, { type: 'Optimism' }),
    addNetwork(c, { type: 'Fantom' }),
  ]);
}

function defaultKeyOf(namespace: string, userId: string, key: Buffer): SecretResource {
  const place = { namespace, name: defaultKeyName };
  return {
    apiVersion,
    kind: 'Secret',
    metadata: { ...place, labels: { [labels.owner]: userId } },
    spec: { type: 'private-key', data: sceneSealer.seal(key, { ...place, owner: userId }) },
  };
}
