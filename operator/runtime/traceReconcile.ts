import { labels } from '../../core/api/names.ts';
import type { StampedObject } from '../../core/tracing/spans.ts';
import type { RootStart, Tracer } from '../../core/tracing/tracing.ts';

/** What a key stands for. */
export type TracedObject = StampedObject & { metadata: { labels?: Record<string, string> } };

/** A reconcile joins the trace of the request that last changed its object, if that was recent; otherwise it begins one. */
export function spanOfReconcile(
  tracer: Tracer,
  controller: string,
  object: TracedObject | undefined,
): RootStart {
  const { name, namespace, labels: own } = object?.metadata ?? {};
  return {
    name: 'reconcile',
    kind: 'internal',
    parent: tracer.writerOf(object),
    attributes: {
      'slipway.controller': controller,
      'slipway.object': name,
      'k8s.namespace.name': namespace,
      'slipway.workspace': own?.[labels.workspace],
    },
  };
}
