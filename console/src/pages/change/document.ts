import type { Network, NetworkInput, NetworkSpec } from '../../../../sdk/src/generated/types.ts';
import { toYaml } from '../../lib/yaml.ts';

/** What of a network people change: its labels and its spec. */
export interface NetworkDocument {
  labels: Record<string, string>;
  spec: NetworkSpec;
}

export function documentOf({ metadata, spec }: Network): NetworkDocument {
  return { labels: metadata.labels ?? {}, spec };
}

/** The request that replaces a network of this revision. */
export function toInput({ labels, spec }: NetworkDocument, rev: number | undefined): NetworkInput {
  return { metadata: { ...(rev === undefined ? {} : { rev }), labels }, spec };
}

export const documentText = (document: NetworkDocument) => toYaml(document);

/** A value as a document; undefined for what has not its shape. The service judges the rest. */
export function asDocument(value: unknown): NetworkDocument | undefined {
  if (!isObject(value) || !isObject(value.spec) || !isObject(value.spec.chain)) return undefined;
  const { labels = {}, spec } = value;
  if (!isObject(labels) || Object.values(labels).some((one) => typeof one !== 'string')) return undefined;
  return { labels, spec } as unknown as NetworkDocument;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
