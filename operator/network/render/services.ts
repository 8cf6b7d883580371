import { originOf } from '../../../core/api/ids.ts';
import { labels } from '../../../core/api/names.ts';
import type { EnginePart } from '../../../core/chains/driver.ts';
import type { Service } from '../../../core/kube/types.ts';
import { shortHashOf } from '../../../core/lib/hash.ts';
import { engineMeta, incarnationOfPart, pluginLabel, type RenderInput, serviceMeta } from './childNames.ts';

/**
 * The Services of a network, none of which has an address of its own (docs/decisions/0099). For the gateway: Services with one
 * port per service of the EndpointSet, one Service for each part that serves. For the parts themselves: a host name that
 * resolves as soon as the pod has an address.
 */
export function renderServices(input: RenderInput): Service[] {
  const { parts } = input.plan;
  const serving = new Set(Object.values(input.plan.services).map(({ part }) => part));
  const served = parts
    .filter(({ name }) => serving.has(name))
    .map((part) => renderService(input, part, suffixOf(input, part)));
  // A chain with a single part needs a host name only for plugins.
  return parts.length === 1 ? served : [...served, ...parts.map((part) => renderHost(input, part))];
}

/** The Service of a chain with a single part keeps its name, whatever plugins the network has. */
function suffixOf({ network, plan: { parts } }: RenderInput, part: EnginePart): string {
  const suffix = shortHashOf(originOf(network));
  const chainParts = parts.filter(({ plugin }) => plugin === undefined);
  return chainParts.length === 1 && part.plugin === undefined ? suffix : `${part.name}-${suffix}`;
}

const headless = { clusterIP: 'None' };

function renderService(input: RenderInput, part: EnginePart, suffix: string): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: serviceMeta(input, suffix, pluginLabel(part.plugin)),
    spec: { ...headless, selector: selectorOf(input, part), ports: portsOf(input, part) },
  };
}

/** Port numbers must be unique within a Service, but several may have the same target port. */
function portsOf({ plan }: RenderInput, part: EnginePart) {
  const taken = new Set<number>();
  const services = Object.entries(plan.services).filter(([, target]) => target.part === part.name);
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
    // Without ports, so that the gateway ignores it: the gateway looks up ports by name.
    spec: { ...headless, publishNotReadyAddresses: true, selector: selectorOf(input, part) },
  };
}

/** The incarnation is one of this network alone. The label of the network is that of the id which it had when a pod was made. */
function selectorOf({ network }: RenderInput, part: EnginePart): Record<string, string> {
  return {
    [labels.incarnation]: incarnationOfPart(network, part.plugin),
    [labels.part]: part.name,
  };
}
