import { type Installation, installationSchema } from '../../core/api/installation.ts';

/** An installation for tests. */
export function anInstallation(others: object = {}): Installation {
  return installationSchema.parse({
    publicUrl: 'http://gateway',
    defaultWorkspace: { id: 'default', namespace: 'ws' },
    engines: { 'evm-dev': { image: 'evm-dev:1' } },
    ...others,
  });
}
