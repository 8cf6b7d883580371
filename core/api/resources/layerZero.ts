import { z } from 'zod';
import { withRules } from '../cel.ts';
import { localObjectReferenceSchema, nameSchema } from '../common.ts';
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
      .describe('Directed connections between members. Omitted: all pairs both ways.'),
  })
  .meta(
    withRules(
      {
        rule: 'self.networks.all(n, self.networks.exists_one(m, m.networkRef.name == n.networkRef.name))',
        message: 'spec.chain.layerzero.networks names each network once',
        fieldPath: '.networks',
        reason: 'FieldValueDuplicate',
      },
      {
        rule: 'self.networks.all(n, !has(n.eid) || self.networks.exists_one(m, has(m.eid) && m.eid == n.eid))',
        message: 'spec.chain.layerzero.networks has each eid once',
        fieldPath: '.networks',
        reason: 'FieldValueDuplicate',
      },
      {
        rule: `!has(self.connections) || self.connections.all(c, c.from != c.to && ${isMember('from')} && ${isMember('to')})`,
        message: 'spec.chain.layerzero.connections join two different members of networks',
        fieldPath: '.connections',
      },
    ),
  )
  .describe('LayerZero over member networks.');
export type LayerZeroSpec = z.infer<typeof layerZeroSpecSchema>;

/** Names of the member networks; none for a chain of another type. */
export function memberNamesOf({ layerzero }: { layerzero?: LayerZeroSpec | undefined }): string[] {
  return (layerzero?.networks ?? []).map(({ networkRef }) => networkRef.name);
}

/** The rules above for REST, with the path of each wrong entry. */
export function checkLayerZero(spec: LayerZeroSpec, context: z.core.$RefinementCtx): void {
  if (!Array.isArray(spec.networks)) return;
  const names = spec.networks.map((member) => member?.networkRef?.name);
  const complain = (path: PropertyKey[], message: string) =>
    context.addIssue({ code: 'custom', path, message, input: spec });
  for (const [index, name] of names.entries()) {
    if (name === undefined || names.indexOf(name) === index) continue;
    complain(['networks', index, 'networkRef', 'name'], 'this network is named twice');
  }
  const eids = spec.networks.map((member) => member?.eid);
  for (const [index, eid] of eids.entries()) {
    if (eid === undefined || eids.indexOf(eid) === index) continue;
    complain(['networks', index, 'eid'], 'this endpoint id is given twice');
  }
  if (!Array.isArray(spec.connections)) return;
  for (const [index, connection] of spec.connections.entries()) {
    const strangers = (['from', 'to'] as const).filter((end) => !names.includes(connection?.[end]));
    for (const end of strangers) complain(['connections', index, end], 'not a member of networks');
    if (connection?.from !== connection?.to) continue;
    complain(['connections', index, 'to'], 'a network is not connected to itself');
  }
}

export const layerZeroStatusSchema = z
  .object({
    members: z
      .array(
        z.object({
          network: nameSchema.describe('Name of the member.'),
          networkID: z.string().describe('Id of the member.'),
          eid: z.int().describe('LayerZero endpoint id: the one of the spec, or the one generated.'),
          endpoint: addressSchema.optional().describe('EndpointV2 on this member.'),
          messageLib: addressSchema.optional().describe('Message library of the endpoint.'),
          enclaveID: z.string().describe('Life of the member that it was seen in last.'),
          incarnation: z.string().describe('Life of the member in which the endpoint was deployed.'),
        }),
      )
      .describe('Members whose chains were found.'),
    life: z
      .int()
      .optional()
      .describe('Grows when all endpoints begin anew, because a member with a named eid lost its chain.'),
    wired: z.string().optional().describe('Hash of the members and connections that were last read back.'),
  })
  .describe('Endpoints of a LayerZero network.');
export type LayerZeroStatus = z.infer<typeof layerZeroStatusSchema>;
