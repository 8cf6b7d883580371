import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import { batchAs } from '../../core/evm/instance.ts';
import type { Node } from '../transactions/nodes.ts';
import type { TokenDeps } from './deps.ts';
import type { FoundNetwork } from './networks.ts';

/**
 * The names of networks whose chain no longer has the transaction of a deployed token, as after a rollback that the status does
 * not show yet. A network that does not run, or does not answer, is not among them.
 */
export async function findGone(
  { presentNode }: Pick<TokenDeps, 'presentNode'>,
  { status }: TokenResource,
  found: readonly FoundNetwork[],
): Promise<ReadonlySet<string>> {
  const names = await Promise.all(
    found.map(async (one) => {
      if ('message' in one) return [];
      const { name, uid } = one.network.metadata;
      const deployed = status?.deployments?.find(({ network }) => network === name);
      const { state, networkID, deploymentTx: hash } = deployed ?? {};
      if (state !== 'Deployed' || networkID !== uid || hash === undefined) return [];
      return (await isGone(presentNode(one.network), hash)) ? [name] : [];
    }),
  );
  return new Set(names.flat());
}

/** Whether the process that runs the network's chain has the transaction neither in a block nor in its pool. */
async function isGone(node: Node | undefined, hash: string): Promise<boolean> {
  if (!node) return false;
  const { rpc, published } = node;
  const [found] = await batchAs(rpc, published, [{ method: 'eth_getTransactionByHash', params: [hash] }]);
  return found !== undefined && 'result' in found && found.result === null;
}
