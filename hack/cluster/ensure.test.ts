import { ensureCluster, optionsFromEnvironment } from './ensure.ts';

describe('optionsFromEnvironment', () => {
  it('has a port and no sources when nothing is said', () => {
    expect(optionsFromEnvironment({})).toEqual({ ingressPort: 8080, forkSources: [] });
  });

  it('reads the port and the list of sources', () => {
    const env = { INGRESS_PORT: '9080', FORK_SOURCES: 'https://a.example,http://b.example:8545' };
    expect(optionsFromEnvironment(env)).toEqual({
      ingressPort: 9080,
      forkSources: ['https://a.example', 'http://b.example:8545'],
    });
  });

  it.each(['abc', '0', '70000', '80.5'])('refuses %s as a port', (port) => {
    expect(() => optionsFromEnvironment({ INGRESS_PORT: port })).toThrow('is no port');
  });
});

describe('ensureCluster', () => {
  it.each(['minikube', 'toString'])('refuses the kind %s and names those there are', async (kind) => {
    await expect(ensureCluster(kind)).rejects.toThrow('none of auto, kind, native, current');
  });
});
