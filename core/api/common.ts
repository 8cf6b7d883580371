import { z } from 'zod';
import { listMap } from './cel.ts';
import { userLabelsSchema } from './userLabels.ts';
import { hashSchema } from './values.ts';

/** RFC 1123 label: the format of names that a Service can be named after. */
export const nameSchema = z
  .string()
  .min(1)
  .max(63)
  .regex(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
    'use lower-case letters, digits and "-"; start and end with a letter or digit',
  )
  .describe('Name: an RFC 1123 label (lower-case letters, digits and "-"), unique in the workspace.');

/** A block that a chain has for as long as nothing that was in it or before it has been undone. */
export const anchorSchema = z.object({
  block: z.int().min(0).describe('Number of the block.'),
  hash: hashSchema.describe('Its hash.'),
});

export const timeSchema = z.iso.datetime({ offset: true }).describe('RFC 3339 time.');

/** ObjectMeta of the REST objects. */
export const objectMetaSchema = z.object({
  name: nameSchema.optional(),
  rev: z.int().min(0).optional().describe('Revision: increases with each change of the spec.'),
  createdAt: timeSchema.optional().describe('Creation time.'),
  updatedAt: timeSchema.optional().describe('Time of the last update.'),
  ownerID: z.string().optional().describe('Id of the user who owns the object.'),
  workspace: z.string().optional().describe('Id of the workspace that the object belongs to.'),
  labels: userLabelsSchema.optional(),
});
export type ObjectMeta = z.infer<typeof objectMetaSchema>;

/** Metadata of REST objects that have no further ones in the contract. */
export const labelMetaSchema = z
  .strictObject({ labels: userLabelsSchema.optional() })
  .describe('Metadata of the object.');

export const selectorSchema = z
  .string()
  .max(4096)
  .describe(
    'Filters the list: field == value, field != value, field IN (value, value), joined by &&. Quote values that contain ==, != or &&, and in an IN list also values with a comma or a closing parenthesis. The header Warning names a value that the field never has.',
  );

const wholeNumber = z.number('use a whole number, in digits alone').meta({ type: 'integer' });

/**
 * A whole number in a query, in digits alone: what Number() makes of 1e3, 0x10 or " 5" may not be what was meant.
 * One beyond 2^53 is a number, too.
 */
export function queryNumber({ min, max }: { min: number; max?: number }) {
  const bounded = max === undefined ? wholeNumber.min(min) : wholeNumber.min(min).max(max);
  const isDigits = (given: unknown) => typeof given === 'string' && /^\d+$/.test(given);
  return z.preprocess((given) => (isDigits(given) ? Number(given) : given), bounded);
}

export const listMetaSchema = z.object({
  cursor: z
    .string()
    .optional()
    .describe(
      'Opaque: send it as the query parameter "cursor" to get the next page. Absent on the last page.',
    ),
});

export const errorSchema = z.object({
  kind: z.literal('Error'),
  reason: z.string().describe('Machine-readable reason, e.g. BadRequest, NotFound, Conflict.'),
  message: z.string().describe('What is wrong and what to do.'),
  requestId: z.string().describe('The X-Request-ID of this request.'),
  details: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('All invalid fields.'),
});
export type ErrorBody = z.infer<typeof errorSchema>;

export const localObjectReferenceSchema = z
  .strictObject({ name: nameSchema.describe('Name of a Secret of the same workspace.') })
  .describe('Reference to a Secret of the same workspace.');

/** A Kubernetes condition (metav1.Condition). */
export const conditionSchema = z.object({
  type: z.string().max(316).describe('What the condition is about, e.g. Ready.'),
  status: z.enum(['True', 'False', 'Unknown']).describe('Whether it holds.'),
  observedGeneration: z
    .int()
    .optional()
    .describe('The generation of the spec that the condition was observed for.'),
  lastTransitionTime: timeSchema.describe('When the status last changed.'),
  reason: z.string().describe('Machine-readable reason in CamelCase.'),
  message: z.string().describe('Human-readable details.'),
});
export type Condition = z.infer<typeof conditionSchema>;

/**
 * Parameter of superRefine: the rule is checked even when members of the object are invalid, so that an answer names
 * every invalid field at once. The rule must tolerate members of unexpected types.
 */
export const checkedAlways = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
};

interface Named {
  name?: string | undefined;
  metadata?: { name?: string | undefined } | undefined;
}

/** The name in a request: at the top level or in metadata. */
export function nameOf(body: Named): string | undefined {
  return body.name ?? body.metadata?.name;
}

/** The names at the top level and in metadata must be equal. */
export function checkNames(body: Named, context: z.core.$RefinementCtx): void {
  const isAtOdds = body.name !== undefined && body.metadata?.name !== undefined;
  if (!isAtOdds || body.name === body.metadata?.name) return;
  context.addIssue({
    code: 'custom',
    path: ['metadata', 'name'],
    message: `differs from name "${body.name}": send only one of them, or the same value in both`,
    input: body,
  });
}

/** A new object needs a name in one of the two places. */
export function checkNewName(body: Named, context: z.core.$RefinementCtx): void {
  checkNames(body, context);
  if (nameOf(body) !== undefined) return;
  context.addIssue({ code: 'custom', path: ['name'], message: 'required', input: body });
}

/** Fields that the status of each custom resource ends with. */
export const observedFields = {
  observedGeneration: z.int().optional().describe('The generation of the spec that this status describes.'),
  conditions: z
    .array(conditionSchema)
    .optional()
    .meta(listMap('type'))
    .describe('Kubernetes conditions, for example Ready.'),
};
