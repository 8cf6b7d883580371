import type { Principal } from '../../../apiserver/http/auth/principal.ts';
import type { Reply } from '../../../apiserver/http/pipeline/handler.ts';
import { etagOf } from '../../../apiserver/http/pipeline/ifMatch.ts';
import { idOf } from '../../../core/api/ids.ts';
import { apiVersion, labels } from '../../../core/api/names.ts';
import type { UserLabels } from '../../../core/api/userLabels.ts';
import { updatedAtAnnotation } from '../../../core/api/views/networkView.ts';
import { ownerOf, readMetaField, revOf, toObjectMeta } from '../../../core/api/views/objectMeta.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { Webhook, WebhookResource, WebhookSpec } from '../api/webhook.ts';

interface NewWebhook {
  name: string;
  spec: WebhookSpec;
  labels: UserLabels | undefined;
}

/** The Webhook custom resource for a new webhook of the caller. */
export function toNewResource(
  { name, spec, labels: given }: NewWebhook,
  principal: Principal,
): WebhookResource {
  return {
    apiVersion,
    kind: 'Webhook',
    metadata: {
      name,
      namespace: principal.namespace,
      labels: { ...given, [labels.owner]: principal.userId, [labels.workspace]: principal.workspaceId },
    },
    spec,
  };
}

/** The Webhook of REST. */
export function toWebhook(resource: Stored<WebhookResource>, workspaceId: string): Webhook {
  const { since: _, cursor: __, positionOf: ___, resumed: ____, ...status } = resource.status ?? {};
  const updatedAt = resource.metadata.annotations?.[updatedAtAnnotation];
  return {
    kind: 'Webhook',
    version: 'v1alpha',
    id: idOf(resource),
    name: resource.metadata.name,
    ...compact({ ownerID: ownerOf(resource) }),
    metadata: toObjectMeta(resource, { workspaceId, updatedAt }),
    spec: resource.spec,
    ...compact({ status: resource.status && status }),
  };
}

/** The answer with one webhook. */
export function answerWebhook(
  resource: Stored<WebhookResource>,
  { workspaceId }: Principal,
): Reply<Webhook> & { body: Webhook } {
  return {
    body: toWebhook(resource, workspaceId),
    etag: etagOf(revOf(resource)),
    objects: [describeWebhook(resource)],
  };
}

/** A selectable field as text. */
export function readWebhookField(resource: Stored<WebhookResource>, field: string): string | undefined {
  return field === 'status.state' ? resource.status?.state : readMetaField(resource, field);
}

/** The object for the audit line. */
export function describeWebhook(resource: Stored<WebhookResource>): string {
  return `webhook ${resource.metadata.name} (${idOf(resource)})`;
}
