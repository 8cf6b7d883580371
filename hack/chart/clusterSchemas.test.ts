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

describe('schemas for kubeconform', () => {
  const files = clusterSchemas(swagger);
  const thing = JSON.parse(files.get('thing-things-v1.json') ?? '{}');

  it('have one file for each kind, and none for options of requests', () => {
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
  ])('are named as kubeconform asks for them: %s', (_reason, kind, name) => {
    expect(fileName(kind)).toBe(name);
  });

  it('refuse unknown fields, but not in maps', () => {
    const { additionalProperties, properties } = thing.definitions['example.Thing'];
    expect(additionalProperties).toBe(false);
    expect(properties.labels.additionalProperties).toEqual({ type: 'string' });
  });

  it('take a field called «properties» for a field', () => {
    const { properties } = thing.definitions['example.Thing'];
    expect(properties.properties.additionalProperties).toBe(false);
    expect(properties.additionalProperties).toBeUndefined();
  });

  it('take numbers where the cluster does', () => {
    const type = thing.definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString'];
    expect(type).toEqual({ type: ['string', 'integer'] });
  });
});
