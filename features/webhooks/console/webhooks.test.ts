import { labelsIn } from '../../../console/src/forms/labels.ts';
import type { Clock } from '../../../console/src/lib/clock.ts';
import type { Webhook, WebhookDelivery } from '../../../sdk/src/generated/types.ts';
import { shownState } from '../api/shownState.ts';
import { emptyWebhookForm, formOf, toWebhookSpec, webhookSnippets } from './form.ts';
import { waitForAttempt } from './outcome.ts';

const spec = {
  url: 'https://ci.example.com/hook',
  types: ['network.*', 'token.deployed'],
  selector: { matchLabels: { team: 'core' } },
};
const webhook: Webhook = {
  kind: 'Webhook',
  version: 'v1alpha',
  id: 'w-1',
  name: 'ci',
  metadata: { rev: 3 },
  spec: { ...spec, paused: true, secretRef: { name: 'mine' } },
};

describe('the form of a webhook', () => {
  test('unchanged, it is the webhook as it was, with what the form does not show', () => {
    expect(toWebhookSpec(formOf(webhook), webhook.spec)).toEqual(webhook.spec);
  });

  test('what is emptied is left out', () => {
    const form = { ...formOf(webhook), kinds: [], types: '', labels: '' };
    expect(toWebhookSpec(form, webhook.spec)).toEqual({
      url: spec.url,
      paused: true,
      secretRef: { name: 'mine' },
    });
  });

  test.each([
    ['team=core, env = ci', { team: 'core', env: 'ci' }],
    ['', {}],
    ['team', undefined],
    ['=core', undefined],
  ])('the labels of "%s"', (text, expected) => {
    expect(labelsIn(text)).toEqual(expected);
  });

  test('as code it says the same in every language', () => {
    const snippets = webhookSnippets(
      'ws-1',
      'ci',
      toWebhookSpec({ ...emptyWebhookForm, ...formOf(webhook) }),
    );
    expect(snippets.map(({ name }) => name)).toEqual(['curl', 'CLI', 'SDK', 'YAML']);
    const [, cli] = snippets;
    expect(cli?.text).toBe(
      "slipway webhook create ci https://ci.example.com/hook --type 'network.*' --type token.deployed --match team=core",
    );
    expect(snippets.every(({ text }) => text.includes('token.deployed') && text.includes(spec.url))).toBe(
      true,
    );
  });
});

describe('what comes of a test event', () => {
  const clock: Clock = {
    nowMs: () => 0,
    after(_ms, done) {
      done();
      return () => {};
    },
  };
  const delivery: WebhookDelivery = {
    kind: 'WebhookDelivery',
    version: 'v1alpha',
    id: 'd-1',
    eventID: 'e-1',
    type: 'webhook.test',
    trigger: 'test',
    createdAt: '2030-01-01T00:00:00Z',
    state: 'pending',
    attempts: 0,
    log: [],
  };
  const answering = (answers: WebhookDelivery[]) => {
    let reads = 0;
    const read = async () => {
      const item = answers[Math.min(reads, answers.length - 1)];
      reads += 1;
      return {
        kind: 'WebhookDeliveryList',
        version: 'v1alpha',
        items: item ? [item] : [],
        metadata: {},
      } as const;
    };
    return { read, reads: () => reads };
  };
  const wait = (read: ReturnType<typeof answering>['read']) =>
    waitForAttempt('d-1', { clock, signal: new AbortController().signal, read });

  test('is read until there is an attempt, and no longer', async () => {
    const service = answering([delivery, { ...delivery, attempts: 1 }]);
    expect(await wait(service.read)).toBe(true);
    expect(service.reads()).toBe(2);
  });

  test('is not read forever where nothing is sent', async () => {
    const service = answering([delivery]);
    expect(await wait(service.read)).toBe(false);
    expect(service.reads()).toBe(4);
  });
});

test.each<[string, Webhook['status'], string]>([
  ['is Active', { state: 'Active' }, 'Active'],
  ['is Active and fails', { state: 'Active', failingSince: '2031-01-31T10:00:00Z' }, 'Failing'],
  ['is Paused', { state: 'Paused', failingSince: '2031-01-31T10:00:00Z' }, 'Paused'],
  ['has no state yet', undefined, 'Pending'],
  // The command line reads what is not there as an empty text.
  ['has no state yet', { state: '', failingSince: '' }, 'Pending'],
])('a webhook that %s is shown so', (_what, status, shown) => {
  expect(shownState(status ?? {})).toBe(shown);
});
