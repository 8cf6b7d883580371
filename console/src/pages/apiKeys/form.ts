import type { ApiKeyInput } from '../../../../sdk/src/generated/types.ts';
import { unknownValue } from '../../../../sdk/src/unknownValue.ts';
import { endAfter } from '../../forms/expiry.ts';
import { type Snippet, shellWord } from '../../lib/snippets.ts';
import { workspaceSnippets } from '../../lib/workspaceSnippets.ts';

/** What the form has. */
export interface ApiKeyForm {
  name: string;
  role: string;
  /** How long it is valid; 0 without an end. */
  hours: number;
  isRestricted: boolean;
  permissions: readonly string[];
}

export const emptyApiKeyForm: ApiKeyForm = {
  name: '',
  role: 'developer',
  hours: 2160,
  isRestricted: false,
  permissions: [],
};

export function toKeyBody(form: ApiKeyForm, nowMs: number): ApiKeyInput {
  const expiresAt = endAfter(form.hours, nowMs);
  return {
    name: form.name.trim(),
    role: unknownValue(form.role),
    ...(form.isRestricted ? { permissions: form.permissions.map(unknownValue) } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

export function keySnippets(workspace: string, form: ApiKeyForm, body: ApiKeyInput): Snippet[] {
  const cli = [
    `slipway key create ${shellWord(body.name)} --role ${body.role}`,
    ...(body.permissions ?? []).map((name) => `--permission ${name}`),
    ...(form.hours === 0 ? [] : [`--expires-after ${form.hours}h`]),
  ];
  const what = { path: 'api-keys', call: 'const { token } = await client.apiKeys.create' };
  return workspaceSnippets({ workspace, what, body, cli: cli.join(' ') });
}
