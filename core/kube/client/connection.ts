import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { hashOf } from '../../lib/hash.ts';
import type { Log } from '../../lib/log.ts';
import { withoutEnding } from '../../lib/text/withoutEnding.ts';
import { type Monotonic, systemMonotonic } from '../monotonic.ts';

/** What a request needs to reach kube-apiserver with the credentials of this process. */
interface Access {
  /** Scheme, host, port and an optional path prefix, without a trailing slash. */
  server: string;
  headers: Record<string, string>;
  dispatcher: Dispatcher;
}

/** The address of kube-apiserver and how to connect to it; one connection pool for all requests. */
export interface Connection {
  /** Credentials are read again every minute, and immediately when `isFresh` is true. */
  access(isFresh?: boolean): Promise<Access>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** When absent: $KUBECONFIG, ~/.kube/config, or the pod's service account, as kubectl does. */
  kubeconfigPath?: string;
  clock: Clock;
  log: Log;
  monotonic?: Monotonic;
}

const rereadAfterMs = 60_000;
/** To kube-apiserver, for all requests of a process: watches and logs keep theirs. */
export const maxConnections = 128;
// Below the 90 s after which kube-apiserver closes an idle connection, so that it is never used while closing.
const keepAliveTimeoutMs = 60_000;

interface Source {
  text: string;
  config: KubeConfig;
}

/** Loads the configuration; BadRequest when none is usable. */
export function createConnection(options: ConnectionOptions): Connection {
  const monotonic = options.monotonic ?? systemMonotonic;
  let source = loadSource(options.kubeconfigPath);
  let pool: { fingerprint: string; dispatcher: Dispatcher } | undefined;
  let cached: { access: Access; readAtMs: number } | undefined;
  let reading: Promise<Access> | undefined;
  let isClosed = false;

  async function read(isFresh: boolean): Promise<Access> {
    source = reloadSource(source, options.kubeconfigPath, isFresh);
    const tls: RequestOptions = { headers: {} };
    await source.config.applyToHTTPSOptions(tls);
    const access = { server: serverOf(source.config), headers: headersOf(tls), dispatcher: keepPool(tls) };
    cached = { access, readAtMs: monotonic() };
    return access;
  }

  function keepPool(tls: RequestOptions): Dispatcher {
    const settings = { ...tlsSettingsOf(tls), proxyUrl: source.config.getCurrentCluster()?.proxyUrl };
    const fingerprint = hashOf([serverOf(source.config), settings]);
    if (pool?.fingerprint === fingerprint) return pool.dispatcher;
    if (pool) {
      options.log.info('kube-apiserver: the connection settings changed; opening new connections');
      void closeQuietly(pool.dispatcher);
    }
    pool = { fingerprint, dispatcher: createPool(settings) };
    return pool.dispatcher;
  }

  return {
    async access(isFresh = false) {
      if (isClosed) throw new AppError('Unavailable', 'the connection to kube-apiserver is closed');
      const isCurrent = cached !== undefined && monotonic() - cached.readAtMs < rereadAfterMs;
      if (cached && isCurrent && !isFresh) return cached.access;
      reading ??= read(isFresh).finally(() => {
        reading = undefined;
      });
      return reading;
    },
    async close() {
      isClosed = true;
      await pool?.dispatcher.destroy();
    },
  };
}

function loadSource(path: string | undefined): Source {
  const config = new KubeConfig();
  try {
    if (path !== undefined) config.loadFromFile(path);
    if (path === undefined) config.loadFromDefault();
    return { text: textOf(path), config };
  } catch (cause) {
    throw new AppError('BadRequest', `the kubeconfig cannot be loaded: ${path ?? 'default location'}`, {
      cause,
    });
  }
}

/** A new KubeConfig drops the tokens that the old one has cached, so it is created only when needed. */
function reloadSource(source: Source, path: string | undefined, isFresh: boolean): Source {
  try {
    return isFresh || textOf(path) !== source.text ? loadSource(path) : source;
  } catch {
    // The file is being replaced or was deleted: the previous content may still be valid.
    return source;
  }
}

function textOf(path: string | undefined): string {
  return path === undefined ? '' : readFileSync(path, 'utf8');
}

function serverOf(config: KubeConfig): string {
  const server = config.getCurrentCluster()?.server;
  if (!server) throw new AppError('BadRequest', 'the kubeconfig has no cluster for its current context');
  return withoutEnding(server, '/');
}

function headersOf(options: RequestOptions): Record<string, string> {
  const headers = Object.entries(options.headers ?? {}).map(([name, value]) => [name, String(value).trim()]);
  if (options.auth) headers.push(['Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`]);
  return Object.fromEntries(headers);
}

type TlsSettings = Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'>;

/** Only what is set: an explicit undefined would disable certificate checks. */
function tlsSettingsOf(options: RequestOptions): TlsSettings {
  const { ca, cert, key, rejectUnauthorized, servername } = options;
  const all = { ca, cert, key, rejectUnauthorized, servername };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function createPool({ proxyUrl, ...tls }: TlsSettings & { proxyUrl?: string | undefined }): Dispatcher {
  const common = {
    connections: maxConnections,
    keepAliveTimeout: keepAliveTimeoutMs,
    keepAliveMaxTimeout: keepAliveTimeoutMs,
    // Each request has its own deadline; a watch has none.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  };
  const connect = { ...tls, keepAlive: true, keepAliveInitialDelay: 30_000, timeout: 10_000 };
  if (proxyUrl === undefined) return new Agent({ ...common, connect } as Agent.Options);
  return new ProxyAgent({ ...common, uri: proxyUrl, requestTls: tls } as ProxyAgent.Options);
}

/** Lets running requests finish first; watches with the old settings end when they are next renewed. */
async function closeQuietly(dispatcher: Dispatcher): Promise<void> {
  try {
    await dispatcher.close();
  } catch {
    // The pool was destroyed meanwhile.
  }
}
