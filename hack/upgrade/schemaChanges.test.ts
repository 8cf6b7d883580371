import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { chainTypes } from '../../core/api/resources/chainSpecs.ts';
import { gitIn } from '../lib/git.ts';
import { projectRoot } from '../lib/paths.ts';
import { previousRelease } from './previous.ts';
import { breaksBetween, type Definition, type Schema } from './schemaChanges.ts';

const definition = (spec: Schema): Definition => ({
  spec: {
    names: { kind: 'Thing' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      },
    ],
  },
});
const text = { type: 'string' };
const an = (properties: Schema, more: Schema = {}) => definition({ type: 'object', properties, ...more });

describe('a change that stored objects do not survive as they are', () => {
  it.each<[string, Definition, Definition, string]>([
    [
      'a member is gone',
      an({ a: text, b: text }),
      an({ a: text }),
      '.spec.b: is gone: kube-apiserver prunes it',
    ],
    [
      'its type changed',
      an({ a: text }),
      an({ a: { type: 'integer' } }),
      '.spec.a: its type string became integer',
    ],
    ['it became required', an({ a: text }), an({ a: text }, { required: ['a'] }), '.spec: a became required'],
    [
      'a value is gone',
      an({ a: { ...text, enum: ['x', 'y'] } }),
      an({ a: { ...text, enum: ['x'] } }),
      '.spec.a: no longer allows y',
    ],
    [
      'values are listed',
      an({ a: text }),
      an({ a: { ...text, enum: ['x'] } }),
      '.spec.a: allows certain values alone',
    ],
    ['a limit is new', an({ a: text }), an({ a: { ...text, maxLength: 3 } }), '.spec.a: maxLength became 3'],
    [
      'a limit is lower, in a list',
      an({ a: { type: 'array', items: { ...text, maxLength: 9 } } }),
      an({ a: { type: 'array', items: { ...text, maxLength: 3 } } }),
      '.spec.a[]: maxLength became 3',
    ],
    [
      'a pattern is new',
      an({ a: text }),
      an({ a: { ...text, pattern: '^x' } }),
      '.spec.a: pattern became ^x',
    ],
    [
      'a rule is new',
      an({ a: text }),
      an({ a: text }, { 'x-kubernetes-validations': [{ rule: 'has(self.a)' }] }),
      '.spec: has a new rule: has(self.a)',
    ],
    [
      'members of any name are not kept any more',
      an({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }),
      an({ a: { type: 'object', properties: { b: text } } }),
      '.spec.a: drops members that it does not name: kube-apiserver prunes them',
    ],
    [
      'a map has names of its own',
      an({ a: { type: 'object', additionalProperties: text } }),
      an({ a: { type: 'object', properties: { b: text } } }),
      '.spec.a: drops members that it does not name: kube-apiserver prunes them',
    ],
  ])('%s', (_what, before, after, found) => {
    expect(breaksBetween(before, after)).toEqual([`Thing ${found}`]);
  });

  it('the kind is gone, or its version', () => {
    const before = an({ a: text });
    const [version] = before.spec.versions;
    const later = { spec: { ...before.spec, versions: version ? [{ ...version, name: 'v1beta1' }] : [] } };
    expect(breaksBetween(before, undefined)).toEqual(['Thing: the kind is gone']);
    expect(breaksBetween(before, later)).toEqual(['Thing: version v1alpha1 is no longer served']);
  });
});

it.each<[string, Definition, Definition]>([
  ['a new member', an({ a: text }), an({ a: text, b: text })],
  ['a wider limit', an({ a: { ...text, maxLength: 3 } }), an({ a: { ...text, maxLength: 9 } })],
  ['a new value', an({ a: { ...text, enum: ['x'] } }), an({ a: { ...text, enum: ['x', 'y'] } })],
  ['no list of values any more', an({ a: { ...text, enum: ['x'] } }), an({ a: text })],
  [
    'members of any name',
    an({ a: { type: 'object', properties: { b: text } } }),
    an({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }),
  ],
  ['what was required is optional', an({ a: text }, { required: ['a'] }), an({ a: text })],
  [
    'a rule for changes',
    an({ a: text }),
    an({ a: text }, { 'x-kubernetes-validations': [{ rule: 'self.a == oldSelf.a' }] }),
  ],
])('stored objects stay as they are with %s', (_what, before, after) => {
  expect(breaksBetween(before, after)).toEqual([]);
});

/** Changes that were decided, with the release that announced them: `<kind> <path>: <what>`. */
const agreed: readonly string[] = [...sameRulesInOtherWords()];

/** They refuse what they refused before, and cost kube-apiserver less (decision 97). */
function sameRulesInOtherWords(): string[] {
  const chains = Object.entries(chainTypes).map(([type, { member }]) => ({
    has: `has(self.${member})`,
    type,
  }));
  const required = chains.map(({ has, type }) => `${has} && self.type == '${type}'`).join(' || ');
  const rules: [string, string][] = [
    ['Network .spec.chain', required],
    ...chains.map(
      ({ has, type }) => ['Network .spec.chain', `!${has} || !(self.type != '${type}')`] as [string, string],
    ),
    ['Network .spec', '!has(self.from) || !(self.chain.type in ["Solana","LayerZero","Thorchain"])'],
    ['Token .spec', "!has(self.mechanism) || !(self.type != 'CCT')"],
    ['Webhook .spec', '!has(self.previousSecretRef) || !(!has(self.secretRef))'],
    ['Webhook .spec', '!has(self.previousSecretExpiresAt) || !(!has(self.previousSecretRef))'],
  ];
  return rules.map(([path, rule]) => `${path}: has a new rule: ${rule}`);
}

it('this checkout takes over all that the previous release stored', async () => {
  const git = gitIn(projectRoot);
  const { ref } = await previousRelease(git);
  const files = ((await git('ls-tree', '--name-only', ref, 'crds/')) ?? '').split('\n').filter(Boolean);
  const here = readdirSync(join(projectRoot, 'crds')).map((name) => `crds/${name}`);
  const breaks: string[] = [];
  for (const file of files) {
    const before: Definition = parse((await git('show', `${ref}:${file}`)) ?? '');
    const after = here.includes(file) ? parse(readFileSync(join(projectRoot, file), 'utf8')) : undefined;
    breaks.push(...breaksBetween(before, after));
  }
  expect(files.length).toBeGreaterThan(10);
  expect(breaks.filter((one) => !agreed.includes(one))).toEqual([]);
});
