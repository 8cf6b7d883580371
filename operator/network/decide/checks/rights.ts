import { isYoung } from '../../lifecycle/isYoung.ts';
import type { NetworkCheck } from '../facts.ts';
import { preparation } from './preparation.ts';
import { run } from './run.ts';

const passingMs = 2_000;
const refusedMs = 30_000;

/** The cluster refused the network's children at the last attempt. They are tried again. */
export const rights: NetworkCheck = {
  name: 'rights',
  check(context) {
    const { network, refusedRights } = context.facts;
    if (refusedRights === undefined) return undefined;
    const attempt = preparation.check(context) ?? run.check(context);
    if (!attempt || attempt.state === 'Operational') return attempt;
    const mayPass = isYoung(context.facts);
    return {
      ...attempt,
      state: mayPass ? 'Pending' : 'Error',
      reason: 'NotPermitted',
      message: describeRefusal(refusedRights, network.metadata.namespace),
      requeueAfterMs: mayPass ? passingMs : refusedMs,
    };
  },
};

/** kube-apiserver's words for a missing right (source: kubernetes, pkg/apiserver/endpoints/handlers/responsewriters). */
const missingRight = /cannot (create|patch|delete|update) resource/;

/** Says what was refused, and what to do. */
function describeRefusal(message: string, namespace: string): string {
  if (!missingRight.test(message)) return `the cluster refuses an object of this network: ${message}`;
  return (
    `namespace "${namespace}" belongs to no workspace, so Slipway may not create anything in it: delete this object ` +
    'and create it in the namespace of a workspace (kubectl get namespaces -l slipway.dev/workspace)'
  );
}
