import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { UserError } from '../lib/run.ts';
import type { ProjectImages, TaggedImage } from './images.ts';

interface Reach {
  gatewayUrl: string;
  ingressClass: string;
}

/** Chart values of `make up`: the images of this checkout, behind the cluster's ingress controller. */
export function chartValues(
  { gatewayUrl, ingressClass }: Reach,
  { service, evmDev, heavy }: ProjectImages,
): object {
  const engines = Object.entries(heavy).map(([name, image]) => [name, imageValues(image)]);
  return {
    publicUrl: gatewayUrl,
    image: imageValues(service),
    engines: {
      'evm-dev': imageValues(evmDev),
      // Nobody publishes it: without it networks with participants are refused, with the reason.
      'ethereum-genesis': { repository: '' },
      ...Object.fromEntries(engines),
    },
    ingress: { enabled: true, className: ingressClass },
  };
}

/**
 * URLs outside the cluster that the user's file of chart values names as fork sources: a cluster may have to let
 * pods reach them. Services of the cluster, which pods reach anyway, are left out.
 */
export function forkSourcesOf(valuesFile: string | undefined): string[] {
  if (!valuesFile) return [];
  let values: unknown;
  try {
    values = parse(readFileSync(valuesFile, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`VALUES=${valuesFile} cannot be read: ${reason}`);
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

function imageValues({ repository, tag }: TaggedImage): object {
  return { repository, tag, pullPolicy: 'IfNotPresent' };
}
