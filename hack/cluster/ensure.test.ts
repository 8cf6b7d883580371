import { ensureCluster, optionsFromEnvironment } from './ensure.ts';

describe('optionsFromEnvironment', () => {
  it('defaults to port 8080 and no fork sources', () => {
    expect(optionsFromEnvironment({})).toEqual({ ingressPort: 8080, forkSources: [] });
  });

  it('reads the port and the list of fork sources', () => {
    const env = { INGRESS_PORT: '9080', FORK_SOURCES: 'https://a.example,http://b.example:8545' };
    expect(optionsFromEnvironment(env)).toEqual({
      ingressPort: 9080,
      forkSources: ['https://a.example', 'http://b.example:8545'],
    });
  });

  it.each(['abc', '0', '70000', '80.5'])('rejects %s as a port', (port) => {
    expect(() => optionsFromEnvironment({ INGRESS_PORT: port })).toThrow('is not a valid port');
  });
});

describe('ensureCluster', () => {
  it.each(['minikube', 'toString'])('rejects the kind %s and lists the valid ones', async (kind) => {
    await expect(ensureCluster(kind)).rejects.toThrow('is not one of auto, kind, native, current');
  });
});
