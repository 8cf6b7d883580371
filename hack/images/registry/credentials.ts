import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../lib/run.ts';

export interface Credentials {
  user: string;
  password: string;
}

interface DockerConfig {
  auths?: Record<string, { auth?: string; identitytoken?: string }>;
  credHelpers?: Record<string, string>;
  credsStore?: string;
}

/** What `docker login` keeps for a registry, itself or in a credential helper; undefined when there is nothing. */
export async function credentialsOf(host: string): Promise<Credentials | undefined> {
  const config = readConfig();
  const server = host === 'docker.io' ? 'https://index.docker.io/v1/' : host;
  const helper = config.credHelpers?.[host] ?? config.credsStore;
  if (helper) return askHelper(helper, server);
  const entry = config.auths?.[server] ?? config.auths?.[`https://${server}`];
  if (!entry?.auth) return undefined;
  const [user = '', ...password] = Buffer.from(entry.auth, 'base64').toString('utf8').split(':');
  return { user, password: password.join(':') };
}

function readConfig(): DockerConfig {
  const folder = process.env.DOCKER_CONFIG || join(homedir(), '.docker');
  try {
    return JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as DockerConfig;
  } catch {
    return {};
  }
}

/** Helpers fail for registries that they do not know. */
async function askHelper(helper: string, server: string): Promise<Credentials | undefined> {
  try {
    const answer = await run(`docker-credential-${helper}`, ['get'], { input: server });
    const { Username: user, Secret: password } = JSON.parse(answer) as { Username: string; Secret: string };
    return { user, password };
  } catch {
    return undefined;
  }
}
