import type { PluginPart } from './plugin.ts';

const user = 'slipway';
const port = 5432;
const scriptPath = '/etc/slipway/postgres.sh';
const passwordPath = '/etc/slipway/postgres-password';
const dataPath = '/data';

/** initdb asks for the name of its user, which images do not have. */
const passwd = `root:x:0:0:root:/root:/sbin/nologin
${user}:x:65532:65532:${user}:/tmp:/sbin/nologin
`;

/**
 * Creates the databases once and runs Postgres 15. A first start that is interrupted is repeated as a whole. It needs only
 * `sh`, `chmod`, `mv`, `rm` and Postgres, so that the official image works as well as ours.
 */
const script = `#!/bin/sh
set -eu
data=${dataPath}/postgres
new=${dataPath}/postgres.new
if [ ! -d "$data" ]; then
  rm -rf "$new"
  initdb --pgdata="$new" --username=${user} --pwfile=${passwordPath} --auth=scram-sha-256 --encoding=UTF8 --locale=C
  echo 'host all all all scram-sha-256' >> "$new/pg_hba.conf"
  for database in "$@"; do
    echo "CREATE DATABASE $database" | postgres --single -D "$new" postgres
  done
  mv "$new" "$data"
fi
# Kubernetes gives the files of a volume to the pod's group, and Postgres refuses a folder that a group may write to.
chmod 0700 "$data"
# Left over from a process that was killed; its number may now be another's.
rm -f "$data/postmaster.pid"
exec postgres -D "$data" -c listen_addresses='*' -c port=${port} -c unix_socket_directories= \\
  -c shared_buffers=32MB -c max_connections=100 -c min_wal_size=32MB -c max_wal_size=128MB \\
  -c max_parallel_workers_per_gather=0 -c dynamic_shared_memory_type=mmap
`;

interface PostgresOptions {
  /** The local name of the part. */
  name: string;
  /** Lower-case names of databases, each in UTF-8 with the collation C. */
  databases: readonly string[];
  /** The plan's secret with the password of the superuser, which is the only user. */
  passwordSecret: string;
}

/** A Postgres 15 for one plugin, with its data on the network's volume. Clients connect as `postgresAccess` says. */
export function postgresPart({ name, databases, passwordSecret }: PostgresOptions): PluginPart {
  return {
    name,
    engine: 'postgres',
    command: ['/bin/sh', scriptPath],
    args: [...databases],
    files: { [scriptPath]: script, '/etc/passwd': passwd },
    secretFiles: { [passwordPath]: passwordSecret },
    ports: { sql: port },
    readyPort: 'sql',
    dataPath,
  };
}

/** How clients in the network reach a `postgresPart`; the password is the text of its secret. */
export const postgresAccess = { user, port } as const;
