import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { projectRoot } from '../lib/paths.ts';
import { UserError } from '../lib/run.ts';

/** The variables that `make up` writes for scripts to source. */
export interface SlipwayEnvironment {
  SLIPWAY_URL: string;
  /** `<id>.<secret>`, as the command line, the SDK and the documents read it. */
  SLIPWAY_API_KEY: string;
  SLIPWAY_API_KEY_ID: string;
  SLIPWAY_API_KEY_SECRET: string;
  KUBECONFIG: string;
}

/** Where the API is and how kubectl reaches its cluster: known before the service is installed. */
export type ClusterAccess = Pick<SlipwayEnvironment, 'SLIPWAY_URL' | 'KUBECONFIG'>;

const environmentFile = join(projectRoot, '.slipway', 'env');

/** Writes `.slipway/env`, readable only by its owner. */
export function writeEnvironment(environment: SlipwayEnvironment, path = environmentFile): void {
  // Scripts written for release 0.2 read the key by its former name.
  write({ ...environment, SLIPWAY_API_TOKEN: environment.SLIPWAY_API_KEY }, path);
}

/** Lets `make status` and `make logs` say why an installation fails. An API key that is there stays. */
export function writeClusterAccess(access: ClusterAccess, path = environmentFile): void {
  write({ ...(existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}), ...access }, path);
}

function write(variables: NodeJS.Dict<string>, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  // Overwriting an existing file keeps its old mode.
  chmodSync(path, 0o600);
}

/** The API key in `.slipway/env`; undefined when there is none. */
export function knownKey(path = environmentFile): string | undefined {
  try {
    return readEnvironment(path).SLIPWAY_API_KEY;
  } catch {
    return undefined;
  }
}

/** Reads `.slipway/env`. Throws UserError when `make up` has not run to its end. */
export function readEnvironment(path = environmentFile): SlipwayEnvironment {
  const read = readerOf(path);
  const keyId = read('SLIPWAY_API_KEY_ID');
  const keySecret = read('SLIPWAY_API_KEY_SECRET');
  return {
    SLIPWAY_URL: read('SLIPWAY_URL'),
    SLIPWAY_API_KEY: `${keyId}.${keySecret}`,
    SLIPWAY_API_KEY_ID: keyId,
    SLIPWAY_API_KEY_SECRET: keySecret,
    KUBECONFIG: read('KUBECONFIG'),
  };
}

/** The same for what needs no API key, as soon as there is a cluster. */
export function readClusterAccess(path = environmentFile): ClusterAccess {
  const read = readerOf(path);
  return { SLIPWAY_URL: read('SLIPWAY_URL'), KUBECONFIG: read('KUBECONFIG') };
}

function readerOf(path: string): (name: keyof SlipwayEnvironment) => string {
  let values: NodeJS.Dict<string>;
  try {
    values = parseEnv(readFileSync(path, 'utf8'));
  } catch {
    throw new UserError(`${path} is missing: run \`make up\` first`);
  }
  return (name) => {
    const value = values[name];
    if (!value) throw new UserError(`${path} has no ${name}: run \`make up\` again`);
    return value;
  };
}
