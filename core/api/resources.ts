import type { ResourceType } from './kubeObject.ts';
import { apiGroup, crdVersion } from './names.ts';
import type { NetworkResource } from './network.ts';
import type { SecretResource } from './secret.ts';

const own = { group: apiGroup, version: crdVersion, isNamespaced: true } as const;

export const networkType: ResourceType<NetworkResource> = { ...own, kind: 'Network', plural: 'networks' };
export const secretType: ResourceType<SecretResource> = { ...own, kind: 'Secret', plural: 'secrets' };
