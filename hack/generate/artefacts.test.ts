import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { artefacts } from './artefacts.ts';
import { customResourceDefinition } from './crd.ts';
import { definitions } from './definitions.ts';
import { rbacTemplate } from './rbac.ts';
import type { JsonSchema } from './structural.ts';

const root = join(import.meta.dirname, '../..');
const all = artefacts();
const textOf = (path: string) => all.find((artefact) => artefact.path === path)?.text ?? '';

test.each(all)('$path is up to date', ({ path, text }) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});

test.each(['crds', 'charts/slipway/templates/crds'])('%s contains nothing else', (folder) => {
  const wanted = all.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`));
  expect(readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)).toEqual(wanted.sort());
});

/** The path of each member without a description, at every depth. */
function undescribed(schema: JsonSchema, place: string): string[] {
  const { properties, items, additionalProperties } = schema;
  const within = Object.entries({ ...(properties ?? {}) }) as [string, JsonSchema][];
  const nested = [items, additionalProperties].filter((one): one is JsonSchema => typeof one === 'object');
  return [
    ...within.filter(([, member]) => !member.description).map(([name]) => `${place}.${name}`),
    ...within.flatMap(([name, member]) => undescribed(member, `${place}.${name}`)),
    ...nested.flatMap((member) => undescribed(member, `${place}[]`)),
  ];
}

interface Manifest {
  spec: {
    names: { kind: string; shortNames: string[]; categories: string[] };
    versions: [{ schema: { openAPIV3Schema: JsonSchema } }];
  };
}

describe.each(definitions)('the definition of $type.kind', (definition) => {
  const manifest = customResourceDefinition(definition) as unknown as Manifest;
  const schema = manifest.spec.versions[0].schema.openAPIV3Schema;

  test('describes every field for kubectl explain', () => {
    const missing = undescribed(schema, '').filter((place) => place !== '.metadata');
    expect(missing).toEqual([]);
  });

  test('has its short name and its category', () => {
    expect(manifest.spec.names.shortNames).toEqual([definition.shortName]);
    expect(manifest.spec.names.categories).toEqual([definition.category ?? 'slipway']);
  });

  test('the chart may omit it, or keep it at uninstall', () => {
    const template = textOf(`charts/slipway/templates/crds/${definition.type.plural}.yaml`);
    expect(template).toContain('{{- if .Values.crds.install }}\napiVersion:');
    expect(template).toContain(
      '{{- if .Values.crds.keep }}\n  annotations:\n    helm.sh/resource-policy: keep',
    );
    expect(parse(template.replaceAll(/^\s*\{\{.*\n/gm, ''))).toMatchObject(manifest);
  });
});

test('has the documented short names', () => {
  expect(definitions.map((one) => one.shortName).sort()).toEqual([
    'baddr',
    'baud',
    'bhook',
    'bhookb',
    'bidem',
    'bidn',
    'binv',
    'bjou',
    'bkep',
    'bkey',
    'bmem',
    'bnet',
    'bout',
    'bpass',
    'bpwd',
    'brch',
    'brec',
    'brep',
    'brpc',
    'brpcr',
    'bsec',
    'bses',
    'bsnap',
    'btick',
    'btok',
    'buse',
    'busr',
    'bver',
    'bws',
  ]);
});

test('the access rules are well-formed objects', () => {
  const plain = rbacTemplate()
    .replaceAll(/^ *\{\{-.*\n/gm, '')
    .replaceAll(/\{\{.*?\}\}/g, 'x');
  const kinds = parseAllDocuments(plain).map((document) => document.toJS() as { kind: string });
  expect(kinds.map(({ kind }) => kind)).toEqual([
    'ClusterRole',
    'ClusterRoleBinding',
    'ClusterRole',
    'RoleBinding',
    'Role',
    'RoleBinding',
    'ClusterRole',
    'ClusterRoleBinding',
    'ClusterRole',
    'RoleBinding',
    'ClusterRole',
    'Role',
    'RoleBinding',
    'ClusterRole',
    'ClusterRole',
  ]);
});
