import { clusterSchemas, fileName } from './clusterSchemas.ts';

const swagger = {
  definitions: {
    'example.Thing': {
      'x-kubernetes-group-version-kind': [{ group: 'things.example', version: 'v1', kind: 'Thing' }],
      type: 'object',
      properties: {
        port: { $ref: '#/definitions/io.k8s.apimachinery.pkg.util.intstr.IntOrString' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        properties: { type: 'object', properties: { size: { type: 'string' } } },
      },
    },
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: 'string', format: 'int-or-string' },
    'example.DeleteOptions': {
      'x-kubernetes-group-version-kind': [
        { group: '', version: 'v1', kind: 'DeleteOptions' },
        { group: 'things.example', version: 'v1', kind: 'DeleteOptions' },
      ],
    },
  },
};

describe('kubeconform schemas', () => {
  const files = clusterSchemas(swagger);
  const thing = JSON.parse(files.get('thing-things-v1.json') ?? '{}');

  it('have one file per kind and none for request options', () => {
    expect([...files.keys()]).toEqual(['thing-things-v1.json']);
  });

  it.each([
    ['a core kind', { group: '', version: 'v1', kind: 'Pod' }, 'pod-v1.json'],
    ['a kind of a group', { group: 'apps', version: 'v1', kind: 'Deployment' }, 'deployment-apps-v1.json'],
    [
      'a group with dots',
      { group: 'slipway.dev', version: 'v1alpha1', kind: 'Network' },
      'network-slipway-v1alpha1.json',
    ],
  ])('are named the way kubeconform looks them up: %s', (_reason, kind, name) => {
    expect(fileName(kind)).toBe(name);
  });

  it('reject unknown fields, except in maps', () => {
    const { additionalProperties, properties } = thing.definitions['example.Thing'];
    expect(additionalProperties).toBe(false);
    expect(properties.labels.additionalProperties).toEqual({ type: 'string' });
  });

  it('treat a field named "properties" as a field', () => {
    const { properties } = thing.definitions['example.Thing'];
    expect(properties.properties.additionalProperties).toBe(false);
    expect(properties.additionalProperties).toBeUndefined();
  });

  it('accept numbers where the cluster does', () => {
    const type = thing.definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString'];
    expect(type).toEqual({ type: ['string', 'integer'] });
  });
});
