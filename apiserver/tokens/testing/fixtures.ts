import { personalWorkspaceIdOf } from '../../../core/accounts/ids.ts';
import { idOf } from '../../../core/api/ids.ts';
import { defaultKeyName, labels } from '../../../core/api/names.ts';
import type { NetworkSpec } from '../../../core/api/resources/network.ts';
import { networkType, secretType, tokenType } from '../../../core/api/resources/resources.ts';
import type { TokenResource, TokenStatus } from '../../../core/api/resources/tokenResource.ts';
import { aDeployBody, aNetwork, aSecret } from '../../../core/api/testing/builders.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { namespaceType } from '../../../core/kube/types.ts';
import {
  type Answer,
  type RequestOptions,
  startTestApi,
  type TestApi,
  type TestUser,
} from '../../testing/harness.ts';

export const base = '/transaction/v1alpha1/transaction/token';
/** A well-formed id that does not exist. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

type DeploymentStatus = NonNullable<TokenStatus['deployments']>[number];

/** The REST API with users, their keys and networks, with shortcuts for tests of tokens. */
export interface TokenApi<K extends Kube> {
  kube: K;
  api: TestApi;
  /** Namespace of ann's workspace, which dan, ada, vic and kay (who has no key) are members of as well. */
  namespace: string;
  /** Namespace of ben's workspace. */
  otherNamespace: string;
  addNetwork(name: string, options?: { inNamespace?: string; chain?: NetworkSpec['chain'] }): Promise<string>;
  /** Posts to a deploy endpoint; by default an ERC20 on one network. */
  deploy(networkId: string, options?: DeployOptions): Promise<Answer>;
  ask(path: string, options?: RequestOptions): Promise<Answer>;
  /** Writes the status, as the operator would. */
  setStatus(tokenId: string, deployments: DeploymentStatus[]): Promise<void>;
  stored(tokenId: string): Promise<TokenResource | undefined>;
  replica(): Promise<TestApi>;
}

interface DeployOptions {
  standard?: string;
  args?: object;
  body?: object;
  headers?: Record<string, string>;
  as?: string;
}

/** `suffix` distinguishes the workspaces of one test from those of others in the same cluster. */
export async function startTokenApi<K extends Kube>(kube: K, suffix = ''): Promise<TokenApi<K>> {
  const namespace = `ws-one${suffix}`;
  const otherNamespace = `ws-two${suffix}`;
  const users: TestUser[] = [
    { userId: `ann${suffix}`, workspaceId: 'one', namespace },
    { userId: `ben${suffix}`, workspaceId: 'two', namespace: otherNamespace },
    { userId: `dan${suffix}`, workspaceId: 'one', namespace, role: 'developer' },
    { userId: `ada${suffix}`, workspaceId: 'one', namespace, role: 'admin' },
    { userId: `vic${suffix}`, workspaceId: 'one', namespace, role: 'viewer' },
  ];
  const keyless: TestUser = { userId: `kay${suffix}`, workspaceId: 'one', namespace };
  await createNamespace(kube, namespace);
  await createNamespace(kube, otherNamespace);
  for (const { userId } of users) await giveKey(kube, userId);
  const replica = () => startTestApi({ kube, users: [...users, keyless] });
  const api = await replica();

  async function find(tokenId: string): Promise<TokenResource | undefined> {
    const { items } = await kube.list(tokenType);
    return items.find((token) => idOf(token) === tokenId);
  }
  return {
    kube,
    api,
    namespace,
    otherNamespace,
    replica,
    stored: find,
    async addNetwork(name, { inNamespace = namespace, chain } = {}) {
      const spec = chain ? { spec: { chain } } : {};
      const created = await kube.create(networkType, aNetwork({ name, namespace: inNamespace, ...spec }));
      return created.metadata.uid;
    },
    async deploy(networkId, { standard = 'erc20', args = {}, body = {}, as = 'ann', ...options } = {}) {
      const deployments = [
        { network_id: networkId, args: { ...aDeployBody().deployments[0]?.args, ...args } },
      ];
      const sent = { ...aDeployBody(), deployments, ...body };
      return api.request(`${base}/${standard}/deploy`, { body: sent, as: `${as}${suffix}`, ...options });
    },
    ask: (path, { as, ...options } = {}) =>
      api.request(`${base}${path}`, { ...options, as: `${as ?? 'ann'}${suffix}` }),
    async setStatus(tokenId, deployments) {
      const token = await find(tokenId);
      if (!token) throw new Error(`no such token: ${tokenId}`);
      await kube.patch(tokenType, token.metadata, { status: { deployments } }, 'status');
    },
  };
}

async function giveKey(kube: Kube, userId: string): Promise<void> {
  const namespace = `slipway-${personalWorkspaceIdOf(userId)}`;
  await createNamespace(kube, namespace);
  const metadata = { labels: { [labels.owner]: userId } };
  await kube.create(secretType, aSecret({ name: defaultKeyName, namespace, metadata }));
}

async function createNamespace(kube: Kube, name: string): Promise<void> {
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}
