import { type KubeObject, type ResourceType, resourceType } from '../../../api/resources/kubeObject.ts';
import type { Kube } from '../../kube.ts';
import type { ConfigMap } from '../../types.ts';

/** What the suite runs against. `namespace` exists and is empty; `close` closes the connections of `kube`. */
export interface ConformanceSubject {
  kube: Kube;
  namespace: string;
  close(): Promise<void>;
}

export type CreateSubject = () => Promise<ConformanceSubject>;

/** A kind defined by the suite, with a status subresource. */
export interface Widget extends KubeObject {
  spec: { size?: number; color?: string; tags?: Record<string, string> };
  status?: { phase?: string };
}

export const widgetType = resourceType<Widget>('conformance.slipway.dev/v1', 'Widget');

export interface Definition extends KubeObject {
  spec: object;
  status?: { conditions?: { type: string; status: string }[] };
}

export const definitionType = resourceType<Definition>(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  false,
);

const widgetSpec = {
  type: 'object',
  properties: {
    size: { type: 'integer', minimum: 0 },
    color: { type: 'string' },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const widgetStatus = { type: 'object', properties: { phase: { type: 'string' } } };

/** The CRD that makes a real server serve widgets. */
export const widgetDefinition = defineKind(
  widgetType,
  { spec: widgetSpec, status: widgetStatus },
  { selectableFields: [{ jsonPath: '.spec.color' }] },
);

/** A CRD with one version and a status subresource; `extra` goes into the version. */
export function defineKind(type: ResourceType, properties: object, extra: object = {}): Definition {
  const version = {
    name: type.version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties } },
    subresources: { status: {} },
    ...extra,
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${type.plural}.${type.group}` },
    spec: {
      group: type.group,
      scope: 'Namespaced',
      names: { kind: type.kind, plural: type.plural, singular: type.kind.toLowerCase() },
      versions: [version],
    },
  };
}

interface WidgetContent {
  spec?: Widget['spec'];
  metadata?: Partial<Widget['metadata']>;
}

export function widget(subject: ConformanceSubject, name: string, content: WidgetContent = {}): Widget {
  const metadata = { name, namespace: subject.namespace, ...content.metadata };
  const { spec = {} } = content;
  return { apiVersion: 'conformance.slipway.dev/v1', kind: 'Widget', metadata, spec };
}

export function configMap(
  subject: ConformanceSubject,
  name: string,
  data: Record<string, string> = {},
): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: subject.namespace }, data };
}
