import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { postgresPart } from './postgres.ts';
import {
  postgresSkipReason,
  preparePostgres,
  runPostgres,
  spawnPostgres,
  startPostgres,
} from './testing/startPostgres.ts';

const part = postgresPart({ name: 'db', databases: ['one', 'two'], passwordSecret: 'password' });
const password = 'c2VjcmV0';

it('has its password only in a file, which the script names', () => {
  expect(part.secretFiles).toEqual({ '/etc/slipway/postgres-password': 'password' });
  expect(part.files['/etc/slipway/postgres.sh']).toContain('--pwfile=/etc/slipway/postgres-password');
});

const onPostgres = postgresSkipReason === undefined ? it : it.skip;

onPostgres('Postgres serves after a SIGKILL', async () => {
  const postgres = await startPostgres(part, password);
  await (await (await postgres.crash()).crash()).stop();
});

onPostgres('a first start that was killed is repeated', async () => {
  const place = await preparePostgres(part, password);
  const first = spawnPostgres(place);
  await Promise.race([first.ended, folderBegins(join(place.folder, 'data'), 'postgres.new')]);
  await first.kill();
  expect(existsSync(join(place.folder, 'data', 'postgres'))).toBe(false);
  await (await runPostgres(place)).stop();
});

/** Resolves once `folder` has an entry with this name. */
async function folderBegins(folder: string, name: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => existsSync(join(folder, name)) && resolve();
  const watcher = watch(folder, check);
  check();
  await promise;
  watcher.close();
}
