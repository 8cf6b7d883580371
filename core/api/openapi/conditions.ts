import { chainTypes } from '../resources/chainSpecs.ts';

/** The name is at the top level or in metadata. */
const named = {
  anyOf: [
    { required: ['name'] },
    { required: ['metadata'], properties: { metadata: { required: ['name'] } } },
  ],
};

/** Rules between members, which the shapes do not express, by the name of the schema. The service checks the same ones. */
export const conditions: Readonly<Record<string, Record<string, unknown>>> = {
  ChainSpec: {
    oneOf: Object.entries(chainTypes).map(([type, { member }]) => ({
      properties: { type: { const: type } },
      required: ['type', member],
      maxProperties: 2,
    })),
  },
  NetworkCreate: named,
  SecretInput: named,
  ReplayRequest: { oneOf: [{ required: ['recordingId'] }, { required: ['replayDocument'] }] },
};
