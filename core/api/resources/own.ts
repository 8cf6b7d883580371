import { apiVersion } from '../names.ts';
import { type KubeObject, type ResourceType, resourceType } from './kubeObject.ts';

/** The type of one of Slipway's own kinds. */
export const ownType = <T extends KubeObject>(kind: string): ResourceType<T> =>
  resourceType(apiVersion, kind);
