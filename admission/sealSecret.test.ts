import { createSealer, isSealed } from '../core/accounts/seal.ts';
import { sealFormerly } from '../core/accounts/testing/formerSeal.ts';
import { labels } from '../core/api/names.ts';
import { compact } from '../core/lib/compact.ts';
import { type AdmissionRequest, type PatchStep, type ReviewedObject, toReview } from './review.ts';
import { reviewSecret } from './sealSecret.ts';

const key = (fill: number) => Buffer.alloc(32, fill);
const sealer = createSealer({ currentId: 'k1', keys: new Map([['k1', key(1)]]) });
const elsewhere = createSealer({ currentId: 'k1', keys: new Map([['k1', key(2)]]) });
const place = { namespace: 'ws', name: 'hot-key', owner: '' };
const serviceNamespace = 'slipway-system';
const bytes = Buffer.alloc(32, 0x9a);
const data = bytes.toString('base64');
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const hexText = Buffer.from(bytes.toString('hex')).toString('base64');

function aRequest(object: ReviewedObject | null, rest: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const userInfo = { username: 'editor', groups: [] };
  return {
    uid: 'u',
    operation: 'CREATE',
    namespace: place.namespace,
    name: place.name,
    userInfo,
    object,
    ...rest,
  };
}

function anObject(
  spec: { type?: unknown; data?: unknown },
  annotations?: Record<string, string>,
): ReviewedObject {
  return {
    metadata: { name: place.name, ...compact({ annotations }) },
    spec: { type: 'private-key', data, ...spec },
  };
}

function patchOf(request: AdmissionRequest, by = sealer): PatchStep[] {
  const verdict = reviewSecret(request, { sealer: by, serviceNamespace });
  if ('refusal' in verdict) throw verdict.refusal;
  return verdict.patch;
}

function refusalOf(request: AdmissionRequest): string {
  const verdict = reviewSecret(request, { sealer, serviceNamespace });
  return 'refusal' in verdict ? verdict.refusal.message : 'not refused';
}

it('seals plain data for its name and namespace', () => {
  const [step, ...others] = patchOf(aRequest(anObject({})));
  expect(others).toEqual([]);
  expect(step).toMatchObject({ op: 'replace', path: '/spec/data' });
  const sealed = step && 'value' in step ? step.value : '';
  expect(isSealed(sealed)).toBe(true);
  expect(sealer.unseal(sealed, place)).toEqual(bytes);
});

it('removes the data from the manifest that kubectl keeps', () => {
  const manifest = { kind: 'Secret', spec: { type: 'private-key', data } };
  const steps = patchOf(aRequest(anObject({}, { [annotation]: JSON.stringify(manifest), other: 'x' })));
  expect(steps).toHaveLength(2);
  const [, step] = steps;
  expect(step?.path).toBe('/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration');
  expect(step && 'value' in step && JSON.parse(step.value)).toEqual({
    kind: 'Secret',
    spec: { type: 'private-key', data: '(sealed)' },
  });
  expect(JSON.stringify(steps)).not.toContain(data);
});

it('drops an unreadable manifest, because it may hold the data', () => {
  const steps = patchOf(aRequest(anObject({}, { [annotation]: `{"spec":{"data":"${data}"` })));
  expect(steps[1]).toEqual({ op: 'remove', path: expect.stringContaining('last-applied') });
});

describe('applying the same manifest again', () => {
  const sealed = sealer.seal(bytes, place);
  const update = (object: ReviewedObject, old: ReviewedObject) =>
    aRequest(object, { operation: 'UPDATE', oldObject: old });

  it('results in the same sealed text and annotation, so nothing changes', () => {
    const manifest = `${JSON.stringify({ spec: { data, type: 'private-key' } })}\n`;
    const first = patchOf(aRequest(anObject({}, { [annotation]: manifest })));
    const second = patchOf(update(anObject({}, { [annotation]: manifest }), anObject({ data: sealed })));
    expect(second[0]).toEqual({ op: 'replace', path: '/spec/data', value: sealed });
    expect(second[1]).toEqual(first[1]);
  });

  it('seals other bytes again', () => {
    const other = Buffer.alloc(32, 3).toString('base64');
    const [step] = patchOf(update(anObject({ data: other }), anObject({ data: sealed })));
    expect(step && 'value' in step && sealer.unseal(step.value, place)).toEqual(Buffer.alloc(32, 3));
  });

  it('does not touch unchanged stored data', () => {
    expect(patchOf(update(anObject({ data: sealed }), anObject({ data: sealed })))).toEqual([]);
  });

  it('keeps stored data writable after its master key was removed, so that a deletion can complete', () => {
    const request = update(anObject({ data: sealed }), anObject({ data: sealed }));
    expect(patchOf(request, elsewhere)).toEqual([]);
  });

  it('seals plain bytes stored without the webhook at the next write', () => {
    expect(patchOf(update(anObject({}), anObject({})))).toHaveLength(1);
  });

  it('does not block writes because of malformed bytes stored without the webhook', () => {
    expect(patchOf(update(anObject({ data: '?' }), anObject({ data: '?' })))).toEqual([]);
  });
});

it.each([
  ['base64 of hexadecimal text', 'private-key', hexText, /hexadecimal text/],
  ['a key as hexadecimal text', 'private-key', bytes.toString('hex'), /hexadecimal text/],
  ['a key of 31 bytes', 'private-key', Buffer.alloc(31, 7).toString('base64'), /holds 31/],
  ['combining marks', 'mnemonic', Buffer.from('a\u0316\u0301'.repeat(100)).toString('base64'), /BIP-39/],
])('admits %s as %s with a warning that nothing can use it', (_what, type, given, expected) => {
  const verdict = reviewSecret(aRequest(anObject({ type, data: given })), { sealer, serviceNamespace });
  expect(verdict).toMatchObject({
    patch: [{ path: '/spec/data' }],
    warning: expect.stringMatching(expected),
  });
});

it('the deletion of a secret is admitted with a warning that says what to look at', () => {
  const verdict = reviewSecret(aRequest(anObject({}), { operation: 'DELETE', object: null }), {
    sealer,
    serviceNamespace,
  });
  expect(toReview('u', verdict)).toMatchObject({
    response: { allowed: true, warnings: [expect.stringMatching(/SecretMissing in kubectl get bnet/)] },
  });
});

describe('the owner of a secret', () => {
  const ownedBy = (owner: string | undefined, data: string): ReviewedObject => ({
    metadata: { name: place.name, labels: compact({ [labels.owner]: owner }) },
    spec: { type: 'private-key', data },
  });
  const ofAnn = sealer.seal(bytes, { ...place, owner: 'ann' });
  const serviceAccount = {
    username: `system:serviceaccount:${serviceNamespace}:slipway-apiserver`,
    groups: [],
  };
  const update = (object: ReviewedObject, rest: Partial<AdmissionRequest> = {}) =>
    aRequest(object, { operation: 'UPDATE', oldObject: ownedBy('ann', ofAnn), ...rest });

  it.each([
    ['another one is named', update(ownedBy('eve', ofAnn))],
    ['another one is named, with data of their own', update(ownedBy('eve', data))],
    ['the label is removed', update(ownedBy(undefined, ofAnn))],
    ['the label is removed, with other data', update(ownedBy(undefined, data))],
    ['a new secret names one', aRequest(ownedBy('eve', data))],
    ['a new secret carries sealed data of somebody else', aRequest(ownedBy('eve', ofAnn))],
    [
      'a service account of another namespace names one',
      aRequest(ownedBy('eve', data), {
        userInfo: { username: 'system:serviceaccount:ws:slipway-apiserver', groups: [] },
      }),
    ],
  ])('is not for users of Kubernetes to set: refused with 403 when %s', (_what, request) => {
    const verdict = reviewSecret(request, { sealer, serviceNamespace });
    expect(verdict).toMatchObject({ refusal: { status: 403 } });
    expect(refusalOf(request)).toMatch(/^the label slipway\.dev\/owner says who owns this object/);
  });

  it('is set by the service accounts of Slipway, and the data is sealed for that owner', () => {
    const [step] = patchOf(aRequest(ownedBy('ann', data), { userInfo: serviceAccount }));
    const sealed = step && 'value' in step ? step.value : '';
    expect(sealer.unseal(sealed, { ...place, owner: 'ann' })).toEqual(bytes);
    expect(() => sealer.unseal(sealed, { ...place, owner: 'eve' })).toThrow(/another owner/);
  });

  it('may be restored from a backup by anyone: the sealed data proves it', () => {
    expect(patchOf(aRequest(ownedBy('ann', ofAnn)))).toEqual([]);
  });

  it('does not keep users of Kubernetes from changing the rest', () => {
    const [step] = patchOf(update(ownedBy('ann', data)));
    expect(step).toEqual({ op: 'replace', path: '/spec/data', value: ofAnn });
  });

  it('is bound at the next write to data that was sealed before owners were', () => {
    const former = sealFormerly(['k1', key(1)], bytes, place);
    const stored = ownedBy('ann', former);
    const [step] = patchOf(update(stored, { oldObject: stored }));
    const sealed = step && 'value' in step ? step.value : '';
    expect(sealer.unseal(sealed, { ...place, owner: 'ann' })).toEqual(bytes);
    expect(patchOf(aRequest(ownedBy(undefined, former)))).toHaveLength(1);
  });
});

describe('refuses, naming spec.data and never quoting it', () => {
  const moved = sealer.seal(bytes, { namespace: 'ws', name: 'another', owner: '' });
  const otherNamespace = sealer.seal(bytes, { ...place, namespace: 'other' });
  const good = sealer.seal(bytes, place);
  it.each([
    ['not base64', 'a b', /not canonical base64/],
    ['empty data', '', /is empty/],
    ['too much data', Buffer.alloc(65_537).toString('base64'), /65537 bytes; the maximum is 65536/],
    ['a sealed text of another name', moved, /another owner, name or namespace/],
    ['a sealed text of another namespace', otherNamespace, /another owner, name or namespace/],
    ['an altered sealed text', `${good.slice(0, -4)}AAAA`, /another owner, name or namespace/],
    ['a sealed text of another installation', elsewhere.seal(bytes, place), /another installation/],
  ])('%s', (_reason, wrong, message) => {
    const refusal = refusalOf(aRequest(anObject({ data: wrong })));
    expect(refusal).toMatch(/^spec\.data /);
    expect(refusal).toMatch(message);
    if (wrong.length > 4) expect(refusal).not.toContain(wrong);
  });

  it('an object without a name, which sealing needs', () => {
    const object = { metadata: {}, spec: { type: 'x', data } };
    expect(refusalOf(aRequest(object, { name: '' }))).toMatch(/metadata\.name is required/);
  });
});

it.each([
  ['its own sealed text, as sent by REST', anObject({ data: sealer.seal(bytes, place) })],
  ['no spec, which the schema rejects', { metadata: { name: 'x' } }],
  ['data of another type, which the schema rejects', anObject({ data: 5 })],
  ['a type of another type, which the schema rejects', anObject({ type: null })],
])('admits unchanged: %s', (_reason, object) => {
  expect(patchOf(aRequest(object))).toEqual([]);
});

it('admits a deletion', () => {
  expect(patchOf(aRequest(null, { operation: 'DELETE', oldObject: anObject({}) }))).toEqual([]);
});
