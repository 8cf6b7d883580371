import { labels } from '../../../core/api/names.ts';
import type { EnginePart } from '../../../core/chains/driver.ts';
import type { Service } from '../../../core/kube/types.ts';
import { shortHashOf } from '../../../core/lib/hash.ts';
import { engineMeta, incarnationOf, metaOf, type RenderInput } from './childNames.ts';

/**
 * What makes the engines reachable. For the gateway, Services whose ports have the names of the EndpointSet's services:
 * one for a network of one part, one for each part that serves where there are several. For the parts themselves, a
 * name that leads to the pod as soon as it has an address.
 */
export function renderServices(input: RenderInput): Service[] {
  const { parts } = input.plan;
  if (parts.length === 1) return [renderService(input)];
  const serving = new Set(Object.values(input.plan.services).map(({ part }) => part));
  return [
    ...parts.filter(({ name }) => serving.has(name)).map((part) => renderService(input, part)),
    ...parts.map((part) => renderHost(input, part)),
  ];
}

/** The Service of one part, or of all when there is but one. */
function renderService(input: RenderInput, part?: EnginePart): Service {
  const { network } = input;
  const suffix = shortHashOf(network.metadata.uid);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metaOf(input, part ? `${part.name}-${suffix}` : suffix),
    spec: { selector: selectorOf(input, part), ports: portsOf(input, part) },
  };
}

/** Two ports of a Service may not have one number, though they may lead to the same. */
function portsOf({ plan }: RenderInput, part?: EnginePart) {
  const taken = new Set<number>();
  const services = Object.entries(plan.services).filter(([, target]) => !part || target.part === part.name);
  return services.map(([name, { port, part: owner }]) => {
    const targetPort = plan.parts.find((candidate) => candidate.name === owner)?.ports[port] ?? 0;
    let number = targetPort;
    while (taken.has(number)) number += 1;
    taken.add(number);
    return { name, port: number, targetPort, protocol: 'TCP' };
  });
}

function renderHost(input: RenderInput, part: EnginePart): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: engineMeta(input, part),
    // Without ports, so that the gateway sees none: it looks for those of the other Services alone.
    spec: { clusterIP: 'None', publishNotReadyAddresses: true, selector: selectorOf(input, part) },
  };
}

function selectorOf({ network }: RenderInput, part?: EnginePart): Record<string, string> {
  return {
    [labels.network]: network.metadata.uid,
    [labels.incarnation]: incarnationOf(network),
    ...(part ? { [labels.part]: part.name } : {}),
  };
}
