import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { authorityOf } from '../../../core/lib/authority.ts';
import { compact } from '../../../core/lib/compact.ts';
import { podsOf } from './copies.ts';
import type { NetworkContext } from './facts.ts';

type Instance = NonNullable<NetworkStatus['instance']>;

interface KnownInstance {
  /** What the status says: which process is known to run the chain; undefined until that is known. */
  instance: Instance | undefined;
  /** Where a process answers that has to be asked for its id. */
  processUrl?: string;
}

/** The process behind the service `rpc`, once its engine is ready. It is asked once for its id, if it has one. */
export function instanceOf(context: NetworkContext): KnownInstance {
  const { facts, plan } = context.planned();
  const { rpc } = plan.services;
  const part = plan.parts.find(({ name }) => name === rpc?.part);
  const [pod] = part ? podsOf(context.engines, part.name) : [];
  if (!part || !rpc || !pod) return { instance: undefined };
  const { uid } = pod.metadata;
  if (uid === undefined) return { instance: undefined };
  const restarts = pod.status?.containerStatuses?.[0]?.restartCount ?? 0;
  const present: Instance = { pod: uid, restarts, ...compact({ process: facts.answers.process }) };
  if (!part.tellsProcess || facts.answers.process !== undefined) return { instance: present };
  const former = facts.network.status?.instance;
  const isKnown = former?.pod === present.pod && former.restarts === restarts;
  if (isKnown) return { instance: former };
  const host = pod.status?.podIP;
  const port = part.ports[rpc.port];
  if (host === undefined || port === undefined) return { instance: undefined };
  return { instance: undefined, processUrl: `http://${authorityOf({ host, port })}` };
}
