import type { ResourceType } from './kubeObject.ts';
import { apiGroup, crdVersion } from './names.ts';
import type { NetworkResource } from './network.ts';
import type { RecordingResource } from './recordingResource.ts';
import type { SecretResource } from './secret.ts';
import type { TokenResource } from './tokenResource.ts';

const own = { group: apiGroup, version: crdVersion, isNamespaced: true } as const;

export const networkType: ResourceType<NetworkResource> = { ...own, kind: 'Network', plural: 'networks' };
export const secretType: ResourceType<SecretResource> = { ...own, kind: 'Secret', plural: 'secrets' };
export const tokenType: ResourceType<TokenResource> = { ...own, kind: 'Token', plural: 'tokens' };
export const recordingType: ResourceType<RecordingResource> = {
  ...own,
  kind: 'Recording',
  plural: 'recordings',
};
