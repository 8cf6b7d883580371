import type { Surroundings } from '../../../apiserver/feature.ts';
import type { Handler } from '../../../apiserver/http/pipeline/handler.ts';
import { notFound } from '../../../apiserver/store/find.ts';
import { updateLive } from '../../../apiserver/store/updateLive.ts';
import { annotations } from '../../../core/api/names.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { describeNetwork } from '../../../core/api/views/networkView.ts';
import { requireOwnUrls } from '../../../core/networks/ownUrls.ts';
import { isKept } from './kept.ts';

interface SwitchDeps {
  kube: Surroundings['kube'];
  networks: Pick<Surroundings['caches']['networks'], 'observe'>;
  find: Surroundings['kinds']['networks']['find'];
}

/** Switches on or off that calls are kept, by the annotation, as a user of kubectl would. */
export function switchNetworkCalls({ kube, networks, find }: SwitchDeps): Handler<'switchNetworkCalls'> {
  return async ({ principal, params, body: { enabled } }) => {
    const found = await find(principal.namespace, params.id);
    if (enabled) requireOwnUrls(found, 'keep the calls to its members');
    const { namespace, name, uid } = found.metadata;
    const target = { type: networkType, namespace, name, absent: () => notFound('Network') };
    const switched = await updateLive(kube, target, (current) => {
      if (current.metadata.uid !== uid) throw notFound('Network');
      if (isKept(current) === enabled) return current;
      const { [annotations.keepCalls]: _former, ...others } = current.metadata.annotations ?? {};
      const next = enabled ? { ...others, [annotations.keepCalls]: 'true' } : others;
      return { ...current, metadata: { ...current.metadata, annotations: next } };
    });
    networks.observe(switched);
    return { body: { enabled }, objects: [describeNetwork(switched)] };
  };
}
