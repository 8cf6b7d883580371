import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** nginx as a plain reverse proxy with one worker, persistent connections to the node, WebSockets and no access log. */
const configOf = (port: number, node: string) => `
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr crit;
events { worker_connections 2048; }
http {
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  upstream node { server ${node}; keepalive 256; keepalive_requests 1000000000; }
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://node/;
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
    }
  }
}
`;

/** Its program, on the PATH. */
export const nginx = 'nginx';

/** The version of the installed nginx. Throws, with the way to get it, if there is none. */
export function nginxVersion(): string {
  const { error, stderr } = spawnSync(nginx, ['-v'], { encoding: 'utf8' });
  const version = /nginx\/(\S+)/.exec(stderr ?? '')?.[1];
  if (error || !version) throw new Error('nginx is missing: install it with "apt-get install nginx-light"');
  return version;
}

/** Writes a configuration for nginx in front of `node` (host:port). Returns its arguments and the URL. */
export async function prepareNginx(node: string): Promise<{ args: string[]; url: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-nginx-'));
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), configOf(port, node));
  return { args: ['-p', folder, '-c', 'nginx.conf'], url: `http://127.0.0.1:${port}/` };
}

/** The process and its children: nginx answers in workers. */
export function processesOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid);
  return [pid, ...children.map(Number)];
}

/** From `stat` (proc(5)); undefined once the process has ended. */
function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
