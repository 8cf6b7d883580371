import type { KubeObject, ResourceType } from '../../core/api/resources/kubeObject.ts';
import * as resources from '../../core/api/resources/resources.ts';

/** An object of any kind, as the API serves it. */
export interface AnyObject extends KubeObject {
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

/** Every custom resource of Slipway: a new kind is backed up without being named here. */
export const slipwayTypes: readonly ResourceType<AnyObject>[] = Object.values(resources).map(
  ({ group, version, kind, plural, isNamespaced }) => ({ group, version, kind, plural, isNamespaced }),
);

/** The type of a stored object. */
export function typeOf({ kind }: KubeObject): ResourceType<AnyObject> {
  const type = slipwayTypes.find((one) => one.kind === kind);
  if (!type) throw new Error(`${kind} is not a kind of Slipway`);
  return type;
}

export interface Deployment extends KubeObject {
  metadata: KubeObject['metadata'] & { namespace: string };
  spec: {
    replicas?: number;
    selector: { matchLabels?: Record<string, string> };
    template: {
      metadata?: { annotations?: Record<string, string> };
      spec: { volumes?: Volume[] };
    };
  };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    availableReplicas?: number;
  };
}

interface Volume {
  secret?: { secretName?: string };
  projected?: { sources?: { secret?: { name?: string } }[] };
}

export const deploymentType: ResourceType<Deployment> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  isNamespaced: true,
};

/** The Deployments that the chart installed. */
export const installedSelector = 'app.kubernetes.io/part-of=slipway,app.kubernetes.io/managed-by=Helm';
