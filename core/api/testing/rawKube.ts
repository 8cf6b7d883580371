import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { parse } from 'yaml';
import { compact } from '../../lib/compact.ts';

/** An unmodified answer of kube-apiserver. */
export interface RawAnswer {
  status: number;
  body: Record<string, unknown> & { message?: string };
}

/** A minimal client of kube-apiserver for tests of Slipway's CRDs; core/kube has its own tests. */
export interface RawKube {
  send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options?: SendOptions,
  ): Promise<RawAnswer>;
  close(): Promise<void>;
}

interface SendOptions {
  body?: object;
  accept?: string;
}

interface Kubeconfig {
  clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
  users: [{ user: { token: string } }];
}

/** Reaches the cluster of a kubeconfig with a token. */
export function createRawKube(kubeconfigPath: string): RawKube {
  const config: Kubeconfig = parse(readFileSync(kubeconfigPath, 'utf8'));
  const { cluster } = config.clusters[0];
  const ca = Buffer.from(cluster['certificate-authority-data'], 'base64');
  const dispatcher = new Agent({ connect: { ca } });
  return {
    async send(method, path, { body, accept = 'application/json' } = {}) {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const answer = await request(cluster.server + path, {
        method,
        dispatcher,
        headers: { authorization: `Bearer ${config.users[0].user.token}`, accept, 'content-type': type },
        ...compact({ body: body && JSON.stringify(body) }),
      });
      return { status: answer.statusCode, body: (await answer.body.json()) as RawAnswer['body'] };
    },
    close: () => dispatcher.close(),
  };
}
