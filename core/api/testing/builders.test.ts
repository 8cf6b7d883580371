import type { z } from 'zod';
import { operations } from '../operations/operations.ts';
import { networkSpecSchema } from '../resources/network.ts';
import { recordingSpecSchema } from '../resources/recordingResource.ts';
import { secretSpecSchema } from '../resources/secret.ts';
import { tokenSpecSchema } from '../resources/tokenResource.ts';
import { transactionItemSchema } from '../rest/transaction.ts';
import {
  aDeployBody,
  aNetwork,
  aNetworkInput,
  aRecording,
  aSecret,
  aSecretInput,
  aToken,
  aTransactionItem,
} from './builders.ts';

const built: [string, z.ZodType, unknown][] = [
  ['aNetwork', networkSpecSchema, aNetwork().spec],
  ['aSecret', secretSpecSchema, aSecret().spec],
  ['aToken', tokenSpecSchema, aToken().spec],
  ['aRecording', recordingSpecSchema, aRecording().spec],
  ['aNetworkInput', operations.createNetwork.body, aNetworkInput()],
  ['aSecretInput', operations.createSecret.body, aSecretInput()],
  ['aDeployBody', operations.deployErc20.body, aDeployBody()],
  ['aTransactionItem', transactionItemSchema, aTransactionItem()],
];

test.each(built)('%s is valid', (_name, schema, value) => {
  expect(schema.safeParse(value).error).toBeUndefined();
});

test('applies the given values', () => {
  const network = aNetwork({ name: 'a', spec: { persistent: true }, status: { state: 'Stopped' } });
  expect(network.metadata.name).toBe('a');
  expect(network.spec.persistent).toBe(true);
  expect(network.status).toEqual({ state: 'Stopped' });
  expect('status' in aNetwork()).toBe(false);
});
