import type { Principal } from '../../../apiserver/http/auth/principal.ts';
import type { Reply } from '../../../apiserver/http/pipeline/handler.ts';
import { etagOf } from '../../../apiserver/http/pipeline/ifMatch.ts';
import { idOf } from '../../../core/api/ids.ts';
import { apiVersion, labels } from '../../../core/api/names.ts';
import { readLabel, type UserLabels, userLabelsIn } from '../../../core/api/userLabels.ts';
import { revOf, updatedAtAnnotation } from '../../../core/api/views/networkView.ts';
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
  const { name, creationTimestamp } = resource.metadata;
  const ownerID = ownerOf(resource);
  const { since: _since, resumed: _resumed, ...status } = resource.status ?? {};
  const updatedAt = resource.metadata.annotations?.[updatedAtAnnotation] ?? creationTimestamp;
  return {
    kind: 'Webhook',
    version: 'v1alpha',
    id: idOf(resource),
    name,
    ...compact({ ownerID }),
    metadata: {
      name,
      rev: revOf(resource),
      createdAt: creationTimestamp,
      updatedAt,
      ...compact({ ownerID }),
      workspace: workspaceId,
      ...userLabelsIn(resource),
    },
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
  if (field === 'status.state') return resource.status?.state;
  if (field === 'metadata.name') return resource.metadata.name;
  return field === 'metadata.ownerID' ? ownerOf(resource) : readLabel(resource, field);
}

/** The object for the audit line. */
export function describeWebhook(resource: Stored<WebhookResource>): string {
  return `webhook ${resource.metadata.name} (${idOf(resource)})`;
}

function ownerOf({ metadata }: Stored<WebhookResource>): string | undefined {
  return metadata.labels?.[labels.owner];
}
