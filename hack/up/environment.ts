import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { projectRoot } from '../lib/paths.ts';
import { UserError } from '../lib/run.ts';

/** The variables that `make up` writes for scripts to source. */
export interface SlipwayEnvironment {
  SLIPWAY_URL: string;
  SLIPWAY_API_KEY_ID: string;
  SLIPWAY_API_KEY_SECRET: string;
  SLIPWAY_API_TOKEN: string;
  KUBECONFIG: string;
}

const environmentFile = join(projectRoot, '.slipway', 'env');

/** Writes `.slipway/env`, readable only by its owner. */
export function writeEnvironment(environment: SlipwayEnvironment, path = environmentFile): void {
  mkdirSync(dirname(path), { recursive: true });
  const lines = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  // Overwriting an existing file keeps its old mode.
  chmodSync(path, 0o600);
}

/** The API key in `.slipway/env`; undefined when there is none. */
export function knownToken(path = environmentFile): string | undefined {
  try {
    return parseEnv(readFileSync(path, 'utf8')).SLIPWAY_API_TOKEN;
  } catch {
    return undefined;
  }
}

/** Reads `.slipway/env`. Throws UserError when `make up` has not run. */
export function readEnvironment(path = environmentFile): SlipwayEnvironment {
  let values: NodeJS.Dict<string>;
  try {
    values = parseEnv(readFileSync(path, 'utf8'));
  } catch {
    throw new UserError(`${path} is missing: run \`make up\` first`);
  }
  const read = (name: keyof SlipwayEnvironment): string => {
    const value = values[name];
    if (!value) throw new UserError(`${path} has no ${name}: run \`make up\` again`);
    return value;
  };
  return {
    SLIPWAY_URL: read('SLIPWAY_URL'),
    SLIPWAY_API_KEY_ID: read('SLIPWAY_API_KEY_ID'),
    SLIPWAY_API_KEY_SECRET: read('SLIPWAY_API_KEY_SECRET'),
    SLIPWAY_API_TOKEN: read('SLIPWAY_API_TOKEN'),
    KUBECONFIG: read('KUBECONFIG'),
  };
}
