import type { ApiKeyInput } from '../../../../sdk/src/generated/types.ts';
import { codeOf, curlText, type Snippet, sdkText, shellWord } from '../../lib/codeText.ts';
import { endAfter } from '../../lib/expiry.ts';

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
  ...{ name: '', role: 'developer', hours: 2160 },
  ...{ isRestricted: false, permissions: [] },
};

export function toKeyBody(form: ApiKeyForm, nowMs: number): ApiKeyInput {
  const expiresAt = endAfter(form.hours, nowMs);
  return {
    ...{ name: form.name.trim(), role: form.role },
    ...(form.isRestricted ? { permissions: [...form.permissions] } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

export function keySnippets(workspace: string, form: ApiKeyForm, body: ApiKeyInput): Snippet[] {
  const path = `/workspace/v1alpha1/workspaces/${workspace}/api-keys`;
  const cli = [
    `slipway key create ${shellWord(body.name)} --role ${body.role}`,
    ...(body.permissions ?? []).map((name) => `--permission ${name}`),
    ...(form.hours === 0 ? [] : [`--expires-after ${form.hours}h`]),
  ];
  return [
    { name: 'curl', text: curlText({ method: 'POST', path, body }) },
    { name: 'CLI', text: cli.join(' ') },
    {
      name: 'SDK',
      text: sdkText(`const { token } = await client.apiKeys.create('${workspace}', ${codeOf(body)});`),
    },
  ];
}
