import { networkType } from '../../core/api/resources/resources.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import { forCaller } from '../store/kubeErrors.ts';
import { answerNetwork } from './answer.ts';
import type { NetworkDeps } from './deps.ts';
import { layerZerosOf } from './members.ts';

/** Requests the deletion, which the operator carries out, and answers with the network as it was. */
export function deleteNetwork(deps: NetworkDeps): Handler<'deleteNetwork'> {
  return async ({ principal, params }) => {
    const { metadata } = await deps.find(principal.namespace, params.id);
    const current = await forCaller(deps.kube.get(networkType, metadata));
    if (!current || current.metadata.uid !== metadata.uid) throw notFound('Network');
    if (current.metadata.deletionTimestamp) {
      throw new AppError('Conflict', 'the network is already being deleted');
    }
    const users = layerZerosOf(deps, current);
    if (users.length > 0) {
      const names = users.map((name) => `"${name}"`).join(', ');
      const remedy = 'delete that network first, or remove the member from its spec';
      throw new AppError('Conflict', `the network is a member of the LayerZero network ${names}: ${remedy}`);
    }
    const wasThere = await forCaller(deps.kube.delete(networkType, metadata, { uid: metadata.uid }));
    if (!wasThere) throw notFound('Network');
    return answerNetwork(deps, current, principal);
  };
}
