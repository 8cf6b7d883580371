import type { EnginePart, EnginePlan } from '../../../core/chains/driver.ts';

/** Whether a part is the only one with its data: then nobody can give the data back to it. */
export function isOnlyCopy({ parts }: EnginePlan, { name, copyOf }: EnginePart): boolean {
  return copyOf === undefined || !parts.some((part) => part.copyOf === copyOf && part.name !== name);
}

/** The services of the nodes that have the same data as the one behind the service `rpc`, and answer the same calls. */
export function peersOf({ parts, services }: EnginePlan): string[] {
  const { rpc } = services;
  const own = parts.find(({ name }) => name === rpc?.part);
  if (!rpc || own?.copyOf === undefined) return [];
  const others = parts.filter(({ name, copyOf }) => copyOf === own.copyOf && name !== own.name);
  return Object.entries(services)
    .filter(([, { part, port }]) => port === rpc.port && others.some(({ name }) => name === part))
    .map(([service]) => service);
}
