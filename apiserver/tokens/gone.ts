import { idOf } from '../../core/api/ids.ts';
import type { DeploymentStatus, TokenResource } from '../../core/api/resources/tokenResource.ts';
import { anchorCall, isAnchorIn } from '../../core/deploy/anchor.ts';
import { batchAs } from '../../core/evm/instance.ts';
import type { Node } from '../../core/outbox/sending/submitAs.ts';
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
      const { name } = one.network.metadata;
      const deployed = status?.deployments?.find(({ network }) => network === name);
      if (deployed?.state !== 'Deployed' || deployed.networkID !== idOf(one.network)) return [];
      return (await isGone(presentNode(one.network), deployed)) ? [name] : [];
    }),
  );
  return new Set(names.flat());
}

/**
 * Whether the process that runs the network's chain has the transaction neither in a block nor in its pool. While the chain has the
 * block that the deployment was verified on, a node may only have forgotten an old transaction.
 */
async function isGone(
  node: Node | undefined,
  { deploymentTx: hash, anchor }: DeploymentStatus,
): Promise<boolean> {
  if (!node || hash === undefined) return false;
  const transactionCall = { method: 'eth_getTransactionByHash', params: [hash] };
  const calls = anchor ? [transactionCall, anchorCall(anchor)] : [transactionCall];
  const [found, block] = await batchAs(node.rpc, node.published, calls);
  if (!found || !('result' in found) || found.result !== null) return false;
  if (!anchor) return true;
  return block !== undefined && 'result' in block && !isAnchorIn(anchor, block);
}
