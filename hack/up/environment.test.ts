import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readClusterAccess, readEnvironment, writeClusterAccess, writeEnvironment } from './environment.ts';

const environment = {
  SLIPWAY_URL: 'http://127.0.0.1:8080',
  SLIPWAY_API_KEY: 'bootstrap1.abc',
  SLIPWAY_API_KEY_ID: 'bootstrap1',
  SLIPWAY_API_KEY_SECRET: 'abc',
  KUBECONFIG: '/var/lib/a folder/admin.conf',
};

describe('.slipway/env', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-env-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('reads back what was written, including spaces in paths', () => {
    writeEnvironment(environment, join(folder, 'new', 'env'));
    expect(readEnvironment(join(folder, 'new', 'env'))).toEqual(environment);
  });

  it('has the API key under the name that all clients read, and under that of release 0.2', () => {
    const path = join(folder, 'env');
    writeEnvironment(environment, path);
    const { SLIPWAY_API_KEY, SLIPWAY_API_TOKEN } = parseEnv(readFileSync(path, 'utf8'));
    expect([SLIPWAY_API_KEY, SLIPWAY_API_TOKEN]).toEqual(['bootstrap1.abc', 'bootstrap1.abc']);
  });

  it('of release 0.2 is still read', () => {
    const path = join(folder, 'env');
    const { SLIPWAY_API_KEY, ...former } = environment;
    const lines = Object.entries({ ...former, SLIPWAY_API_TOKEN: SLIPWAY_API_KEY });
    writeFileSync(path, lines.map(([name, value]) => `export ${name}='${value}'\n`).join(''));
    expect(readEnvironment(path)).toEqual(environment);
  });

  it('has the cluster before there is an API key, so that a failed installation can be looked at', () => {
    const path = join(folder, 'env');
    const access = { SLIPWAY_URL: 'http://127.0.0.1:8080', KUBECONFIG: '/kubeconfig' };
    writeClusterAccess(access, path);
    expect(readClusterAccess(path)).toEqual(access);
    expect(() => readEnvironment(path)).toThrow('no SLIPWAY_API_KEY_ID: run `make up` again');
  });

  it('keeps its API key while the installation changes', () => {
    const path = join(folder, 'env');
    writeEnvironment(environment, path);
    writeClusterAccess({ SLIPWAY_URL: 'http://127.0.0.1:9090', KUBECONFIG: '/other' }, path);
    expect(readEnvironment(path)).toEqual({
      ...environment,
      SLIPWAY_URL: 'http://127.0.0.1:9090',
      KUBECONFIG: '/other',
    });
  });

  it('is readable only by its owner, even if an older file was readable by others', () => {
    const path = join(folder, 'env');
    writeFileSync(path, '', { mode: 0o644 });
    writeEnvironment(environment, path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('reports what to run when it is missing or incomplete', () => {
    expect(() => readEnvironment(join(folder, 'none'))).toThrow('run `make up` first');
    writeFileSync(join(folder, 'half'), "export SLIPWAY_URL='x'\n");
    expect(() => readEnvironment(join(folder, 'half'))).toThrow('no SLIPWAY_API_KEY_ID');
  });
});
