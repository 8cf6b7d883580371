import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { UserError } from '../lib/run.ts';
import type { NamedImage, ProjectImages } from './images.ts';

interface IngressAccess {
  gatewayUrl: string;
  ingressClass: string;
}

/**
 * The chart values for `make up`: the images of this checkout or of its release, exposed by the cluster's ingress controller. `unnamed` engines have
 * no image in the chart, and keep its resources.
 */
export function chartValues(
  { gatewayUrl, ingressClass }: IngressAccess,
  { service, evmDev, compilers }: Omit<ProjectImages<NamedImage>, 'heavy'>,
  unnamed: readonly string[],
): object {
  return {
    publicUrl: gatewayUrl,
    // Browsers and curl know that every name below `localhost` is this machine.
    serviceDomain: 'slipway.localhost',
    image: imageValues(service),
    engines: {
      'evm-dev': imageValues(evmDev),
      ...Object.fromEntries(unnamed.map((name) => [name, { repository: '' }])),
    },
    compilers: { image: imageValues(compilers) },
    ingress: { enabled: true, className: ingressClass },
  };
}

/**
 * The external URLs in the `forkSources` of the user's chart values file. A cluster that blocks egress must let pods
 * reach them. Services in the cluster are omitted, because pods can reach them anyway.
 */
export function forkSourcesOf(valuesFile: string | undefined): string[] {
  if (!valuesFile) return [];
  let values: unknown;
  try {
    values = parse(readFileSync(valuesFile, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`The values file VALUES=${valuesFile} cannot be read: ${reason}`);
  }
  const urls = Object.values(memberOf(values, 'forkSources')).map(String);
  return urls.filter((url) => !isInCluster(url));
}

function isInCluster(url: string): boolean {
  return URL.canParse(url) && /\.svc(\.cluster\.local)?$/.test(new URL(url).hostname);
}

function memberOf(value: unknown, name: string): object {
  if (typeof value !== 'object' || value === null) return {};
  const member: unknown = Reflect.get(value, name);
  return typeof member === 'object' && member !== null ? member : {};
}

function imageValues({ repository, tag, digest = '' }: NamedImage): object {
  return { repository, tag, digest, pullPolicy: 'IfNotPresent' };
}
