import { z } from 'zod';
import { forbiddenWhen, listSet, withRules } from '../../../core/api/cel.ts';
import {
  checkedAlways,
  checkNames,
  checkNewName,
  listMetaSchema,
  localObjectReferenceSchema,
  nameSchema,
  objectMetaSchema,
  observedFields,
  timeSchema,
} from '../../../core/api/common.ts';
import type { NamespacedObject } from '../../../core/api/resources/kubeObject.ts';

/** A type of event, all types of a kind of object (`network.*`), or all of them (`*`). */
const typePatternSchema = z
  .string()
  .max(63)
  .regex(
    /^(\*|[a-z][a-z-]*\.(\*|[a-z][a-z-]*))$/,
    'use a type of event, such as network.operational, or network.* or *',
  );

const matchLabelsSchema = z
  .record(z.string(), z.string().max(63))
  .describe('Labels with their values: an object must have all of them.');

export const webhookSpecSchema = z
  .strictObject({
    url: z
      .string()
      .max(2048)
      .regex(/^https?:\/\/[^\s/]\S*$/, 'use a URL that begins with https://')
      .describe(
        'URL that events are sent to by POST: https:// unless the installation allows http://, with a public address unless it allows private ones. Redirects are not followed.',
      ),
    description: z.string().max(1024).optional().describe('Purpose of the webhook.'),
    types: z
      .array(typePatternSchema)
      .min(1)
      .max(50)
      .refine((types) => new Set(types).size === types.length, 'must not contain a type twice')
      .optional()
      .meta(listSet)
      .describe('Which types of events are sent: network.operational, network.*, or *. Absent: all of them.'),
    selector: z
      .strictObject({ matchLabels: matchLabelsSchema })
      .optional()
      .describe('Which objects the events are about. Absent: all objects of the workspace.'),
    paused: z
      .boolean()
      .optional()
      .describe('true: nothing is sent. Events are kept for a day, within the budget of the webhook.'),
    secretRef: localObjectReferenceSchema
      .optional()
      .describe(
        'Secret of type webhook-secret that deliveries are signed with, of the owner of the webhook or without an owner: the text whsec_ and base64 of 24 to 64 bytes. Absent: one is generated; rotate it over REST to see it.',
      ),
    previousSecretRef: localObjectReferenceSchema
      .optional()
      .describe('Secret with which deliveries are also signed, while receivers change to the new one.'),
    previousSecretExpiresAt: timeSchema
      .optional()
      .describe('When previousSecretRef is no longer used. Absent: when it is removed.'),
  })
  .meta(
    withRules(
      forbiddenWhen('!has(self.secretRef)', 'previousSecretRef', 'previousSecretRef needs secretRef'),
      forbiddenWhen(
        '!has(self.previousSecretRef)',
        'previousSecretExpiresAt',
        'previousSecretExpiresAt needs previousSecretRef',
      ),
    ),
  )
  .describe('Where events are sent, and which.');
export type WebhookSpec = z.infer<typeof webhookSpecSchema>;

export const webhookStates = ['Active', 'Paused', 'Error'] as const;
const pauseReasons = ['Requested', 'Failing', 'Gone'] as const;

const countSchema = z.int().min(0);

export const webhookStatusSchema = z
  .object({
    state: z
      .enum(webhookStates)
      .optional()
      .describe(
        'Active: events are sent as they happen. Paused: events are kept, and nothing is sent. Error: nothing can be sent; the message says why. Absent: the operator has not processed it yet.',
      ),
    message: z.string().max(1024).optional().describe('Human-readable reason for the state.'),
    pauseReason: z
      .enum(pauseReasons)
      .optional()
      .describe(
        'Why it is paused. Requested: spec.paused. Failing: no attempt succeeded for a day. Gone: the receiver answered 410. The latter two end with POST …/resume.',
      ),
    pausedAt: timeSchema.optional().describe('When it was paused.'),
    since: z
      .string()
      .max(32)
      .optional()
      .describe('Revision of the cluster after which events are sent: the one at which it first was Active.'),
    cursor: z
      .string()
      .max(32)
      .optional()
      .describe('Revision of the cluster up to which events are queued. Some webhooks have an older one.'),
    positionOf: z
      .string()
      .max(64)
      .optional()
      .describe('uid of the object that since and cursor are of: with another uid, it was restored.'),
    pending: countSchema.optional().describe('Deliveries that are queued.'),
    failingSince: timeSchema
      .optional()
      .describe('Since when every attempt has failed. Absent: the last one succeeded.'),
    lastDeliveredAt: timeSchema.optional().describe('When a delivery last succeeded.'),
    resumed: z
      .string()
      .max(253)
      .optional()
      .describe('The value of the annotation slipway.dev/resume that was obeyed.'),
    ...observedFields,
  })
  .describe('Observed state.');
export type WebhookStatus = z.infer<typeof webhookStatusSchema>;

/** The Webhook custom resource. */
export interface WebhookResource extends NamespacedObject {
  kind: 'Webhook';
  spec: WebhookSpec;
  status?: WebhookStatus;
}

const restStatusSchema = webhookStatusSchema.omit({
  since: true,
  cursor: true,
  positionOf: true,
  resumed: true,
});

/** The Webhook as REST returns it. */
export const webhookSchema = z
  .object({
    kind: z.literal('Webhook'),
    version: z.literal('v1alpha'),
    id: z.string(),
    name: nameSchema,
    ownerID: z.string().optional(),
    metadata: objectMetaSchema,
    spec: webhookSpecSchema,
    status: restStatusSchema.optional(),
  })
  .describe('A URL that events of the workspace are sent to.');
export type Webhook = z.infer<typeof webhookSchema>;

/** A Webhook with its new signing secret, which no other answer contains. */
export const newWebhookSchema = webhookSchema
  .extend({
    secret: z
      .string()
      .optional()
      .describe(
        'Signs its deliveries, and is shown only once: whsec_ and base64. Absent if spec.secretRef names your own Secret.',
      ),
  })
  .describe('A webhook with its new signing secret.');

export const webhookListSchema = z.object({
  kind: z.literal('WebhookList'),
  version: z.literal('v1alpha'),
  items: z.array(webhookSchema),
  metadata: listMetaSchema,
});

const inputShape = {
  kind: z.literal('Webhook').optional(),
  version: z.literal('v1alpha').optional(),
  id: z.string().optional(),
  name: nameSchema.optional(),
  metadata: objectMetaSchema.strict().optional(),
  spec: webhookSpecSchema,
};

/** Body of POST. */
export const webhookCreateSchema = z
  .strictObject(inputShape)
  .superRefine(checkNewName, checkedAlways)
  .describe('A webhook to create.');

/** Body of PUT. */
export const webhookInputSchema = z
  .strictObject(inputShape)
  .superRefine(checkNames, checkedAlways)
  .describe(
    'The desired webhook. If spec.secretRef is absent, its signing secrets are kept: rotate them with POST …/rotate-secret.',
  );
