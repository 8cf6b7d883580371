import { z } from 'zod';
import { withRules } from '../cel.ts';
import { anchorSchema, localObjectReferenceSchema, nameSchema } from '../common.ts';
import { addressSchema } from '../values.ts';

const networkRefSchema = localObjectReferenceSchema
  .extend({ name: nameSchema.describe('Name of a Network of the same workspace.') })
  .describe('Reference to a Network of the same workspace.');

const memberSchema = z
  .strictObject({
    networkRef: networkRefSchema,
    eid: z
      .int()
      .min(1)
      .max(4_294_967_295)
      .optional()
      .describe('LayerZero endpoint id. Generated when omitted.'),
  })
  .describe('A member network.');

const connectionSchema = z
  .strictObject({
    from: nameSchema.describe('Name of the member that sends.'),
    to: nameSchema.describe('Name of the member that receives.'),
  })
  .describe('A directed connection.');

const isMember = (name: string) => `self.networks.exists(n, n.networkRef.name == c.${name})`;

export const layerZeroSpecSchema = z
  .strictObject({
    networks: z.array(memberSchema).min(2).max(32).describe('Member networks.'),
    connections: z
      .array(connectionSchema)
      .max(992)
      .optional()
      .describe(
        'Directed connections between members. When omitted, all pairs are connected in both directions.',
      ),
  })
  .meta(
    withRules(
      {
        rule: 'self.networks.all(n, self.networks.exists_one(m, m.networkRef.name == n.networkRef.name))',
        message: 'spec.chain.layerzero.networks must not contain a network twice',
        fieldPath: '.networks',
        reason: 'FieldValueDuplicate',
      },
      {
        rule: 'self.networks.all(n, !has(n.eid) || self.networks.exists_one(m, has(m.eid) && m.eid == n.eid))',
        message: 'spec.chain.layerzero.networks must not contain an eid twice',
        fieldPath: '.networks',
        reason: 'FieldValueDuplicate',
      },
      {
        rule: `!has(self.connections) || self.connections.all(c, c.from != c.to && ${isMember('from')} && ${isMember('to')})`,
        message:
          'spec.chain.layerzero.connections must connect two different members of spec.chain.layerzero.networks',
        fieldPath: '.connections',
      },
    ),
  )
  .describe('LayerZero between member networks.');
export type LayerZeroSpec = z.infer<typeof layerZeroSpecSchema>;

/** Names of the member networks; empty for a chain of another type. */
export function memberNamesOf({ layerzero }: { layerzero?: LayerZeroSpec | undefined }): string[] {
  return (layerzero?.networks ?? []).map(({ networkRef }) => networkRef.name);
}

/** The rules above for REST, with the path of each invalid entry. */
export function checkLayerZero(spec: LayerZeroSpec, context: z.core.$RefinementCtx): void {
  if (!Array.isArray(spec.networks)) return;
  const names = spec.networks.map((member) => member?.networkRef?.name);
  const addIssue = (path: PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path, message, input: spec });
  for (const [index, name] of names.entries()) {
    if (name === undefined || names.indexOf(name) === index) continue;
    addIssue(['networks', index, 'networkRef', 'name'], 'duplicate network: remove one of the entries');
  }
  const eids = spec.networks.map((member) => member?.eid);
  for (const [index, eid] of eids.entries()) {
    if (eid === undefined || eids.indexOf(eid) === index) continue;
    addIssue(['networks', index, 'eid'], 'duplicate endpoint id: use a different eid');
  }
  if (!Array.isArray(spec.connections)) return;
  for (const [index, connection] of spec.connections.entries()) {
    const unknown = (['from', 'to'] as const).filter((end) => !names.includes(connection?.[end]));
    for (const end of unknown)
      addIssue(['connections', index, end], 'must be the name of a member of spec.chain.layerzero.networks');
    if (connection?.from !== connection?.to) continue;
    addIssue(
      ['connections', index, 'to'],
      'must differ from "from": a network cannot be connected to itself',
    );
  }
}

export const layerZeroStatusSchema = z
  .object({
    members: z
      .array(
        z.object({
          network: nameSchema.describe('Name of the member.'),
          networkID: z.string().describe('Id of the member.'),
          eid: z.int().describe('LayerZero endpoint id: from the spec, or generated.'),
          endpoint: addressSchema.optional().describe('EndpointV2 on this member.'),
          messageLib: addressSchema.optional().describe('Message library of the endpoint.'),
          anchor: anchorSchema
            .optional()
            .describe(
              'The newest block of this member with a transaction of the endpoint or its connections: without it, the chain has gone back.',
            ),
          enclaveID: z.string().describe('Incarnation in which the member was last observed.'),
          incarnation: z.string().describe('Incarnation of the member in which the endpoint was deployed.'),
        }),
      )
      .describe('Members whose chains were observed.'),
    generation: z
      .int()
      .optional()
      .describe(
        'Increases when all endpoints are deployed again because a member with a fixed eid lost its chain.',
      ),
    wired: z
      .string()
      .optional()
      .describe('Hash of the members and connections that were last verified on the chains.'),
  })
  .describe('Endpoints of a LayerZero network.');
export type LayerZeroStatus = z.infer<typeof layerZeroStatusSchema>;
