/** Where `make up` installs the chart. */
export const releaseName = 'slipway';
export const releaseNamespace = 'slipway-system';
export const workspaceNamespace = 'slipway-default';

/** The service's own namespace holds its pods to the restricted standard too. */
export const namespaceManifest = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: releaseNamespace,
    labels: {
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.kubernetes.io/warn': 'restricted',
    },
  },
};
