import { z } from 'zod';
import { timeSchema } from '../../../../core/api/common.ts';
import { apiKeyInputSchema } from '../../../../core/api/rest/access.ts';
import { roleSchema } from '../../../../core/api/rest/workspace.ts';

const version = z.literal('v1alpha1');
const deviceName = z
  .string()
  .min(1)
  .max(64)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  .regex(/^[^\u0000-\u001f\u007f-\u009f]+$/, 'use printable characters')
  .describe('The name of the machine, such as its host name.');
const userCode = z.string().min(8).max(16).describe('The code that the machine shows, such as BCDF-GHJK.');

export const deviceSignInInputSchema = z
  .strictObject({ name: deviceName })
  .describe('The machine that requests access.');

export const deviceSignInSchema = z
  .object({
    kind: z.literal('DeviceSignIn'),
    version,
    deviceCode: z.string().describe('The secret with which the machine asks for the outcome.'),
    userCode: z.string().describe('The code that the user compares or types.'),
    url: z.string().describe('The page of the console on which the user approves.'),
    urlWithCode: z.string().describe('The same page with the code filled in.'),
    intervalSeconds: z.int().describe('How long to wait between two requests for the outcome.'),
    expiresAt: timeSchema.describe('Time after which nobody can approve it.'),
  })
  .describe('A machine that asks for an API key of its own.');

export const deviceCodeSchema = z
  .strictObject({ deviceCode: z.string().min(1).max(256).describe('The secret of the machine.') })
  .describe('The machine that asks.');

export const deviceSignInStateSchema = z
  .object({
    kind: z.literal('DeviceSignInState'),
    version,
    state: z
      .enum(['Pending', 'Approved', 'Denied'])
      .describe('Approved: the machine can fetch its API key, once.'),
    expiresAt: timeSchema.describe('Time after which it expires, whatever its state.'),
  })
  .describe("The state of a machine's request.");

export const userCodeSchema = z.strictObject({ userCode }).describe('The code that the machine shows.');

export const deviceRequestSchema = z
  .object({
    kind: z.literal('DeviceRequest'),
    version,
    name: deviceName,
    source: z
      .string()
      .optional()
      .describe('The address that the machine asks from, as far as trusted proxies report it.'),
    isSameSource: z.boolean().describe('Whether the machine and the caller have the same address.'),
    createdAt: timeSchema.optional().describe('When the machine asked.'),
    expiresAt: timeSchema.describe('Time after which nobody can approve it.'),
  })
  .describe('The machine that requests access.');

export const deviceApprovalInputSchema = apiKeyInputSchema
  .extend({ userCode })
  .describe('The code that the machine shows, and the API key that it gets.');

export const deviceApprovalSchema = z
  .object({
    kind: z.literal('DeviceApproval'),
    version,
    device: deviceName,
    workspaceID: z.string(),
    name: z.string().describe('Name of the API key.'),
    role: roleSchema,
  })
  .describe('What the machine gets: its API key is created when it polls again.');
