import type { ProjectImages, TaggedImage } from './images.ts';

interface Reach {
  gatewayUrl: string;
  ingressClass: string;
}

/** Chart values of `make up`: the images of this checkout, behind the cluster's ingress controller. */
export function chartValues({ gatewayUrl, ingressClass }: Reach, { service, evmDev }: ProjectImages): object {
  return {
    publicUrl: gatewayUrl,
    image: imageValues(service),
    engines: { 'evm-dev': imageValues(evmDev) },
    ingress: { enabled: true, className: ingressClass },
  };
}

function imageValues({ repository, tag }: TaggedImage): object {
  return { repository, tag, pullPolicy: 'IfNotPresent' };
}
