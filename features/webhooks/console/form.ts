import { labelsIn } from '../../../console/src/forms/labels.ts';
import { curlOf, type Snippet, sdkOf, shellWord } from '../../../console/src/lib/snippets.ts';
import { toYaml } from '../../../console/src/lib/yaml.ts';
import type { Webhook, WebhookSpec } from '../../../sdk/src/generated/types.ts';

export const kinds = ['network', 'token', 'transaction', 'recording', 'snapshot', 'secret'] as const;
type Kind = (typeof kinds)[number];

/** What the form has, as it was typed. */
export interface WebhookForm {
  name: string;
  url: string;
  description: string;
  kinds: readonly Kind[];
  types: string;
  labels: string;
}

export const emptyWebhookForm: WebhookForm = {
  name: '',
  url: '',
  description: '',
  kinds: [],
  types: '',
  labels: '',
};

const listOf = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The form of a webhook that exists. */
export function formOf({ name, spec }: Webhook): WebhookForm {
  const types = spec.types ?? [];
  const chosen = kinds.filter((kind) => types.includes(`${kind}.*`));
  const others = types.filter((type) => !kinds.some((kind) => type === `${kind}.*`));
  return {
    name,
    url: spec.url,
    description: spec.description ?? '',
    kinds: chosen,
    types: others.join(', '),
    labels: Object.entries(spec.selector?.matchLabels ?? {})
      .map(([label, value]) => `${label}=${value}`)
      .join(', '),
  };
}

/** The spec of a form: what the form does not show stays as it was. */
export function toWebhookSpec(form: WebhookForm, before?: WebhookSpec): WebhookSpec {
  const { description: _d, types: _t, selector: _s, ...rest } = before ?? { url: '' };
  const types = [
    ...kinds.filter((kind) => form.kinds.includes(kind)).map((kind) => `${kind}.*`),
    ...listOf(form.types),
  ];
  const matchLabels = labelsIn(form.labels) ?? {};
  const description = form.description.trim();
  return {
    ...rest,
    url: form.url.trim(),
    ...(description === '' ? {} : { description }),
    ...(types.length === 0 ? {} : { types }),
    ...(Object.keys(matchLabels).length === 0 ? {} : { selector: { matchLabels } }),
  };
}

/** How else to create it. */
export function webhookSnippets(workspace: string, name: string, spec: WebhookSpec): Snippet[] {
  const body = { name, spec };
  const cli = [
    `slipway webhook create ${shellWord(name)} ${shellWord(spec.url)}`,
    ...(spec.types ?? []).map((type) => `--type ${shellWord(type)}`),
    ...Object.entries(spec.selector?.matchLabels ?? {}).map(
      ([label, value]) => `--match ${shellWord(`${label}=${value}`)}`,
    ),
    ...(spec.description === undefined ? [] : [`--description ${shellWord(spec.description)}`]),
  ];
  const manifest = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Webhook', metadata: { name }, spec };
  return [
    { name: 'curl', text: curlOf('/v1alpha/webhooks', body, workspace) },
    { name: 'CLI', text: cli.join(' ') },
    { name: 'SDK', text: sdkOf('const { secret } = await client.webhooks.create', body) },
    { name: 'YAML', text: toYaml(manifest) },
  ];
}
