// Runs before an uninstall with crds.keep=false: deletes every object of the service while the operator is still
// running, so that it can remove their children, and waits until all objects are gone. The generated keys go last.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const {
  KUBERNETES_SERVICE_HOST: host,
  KUBERNETES_SERVICE_PORT: port,
  PLURALS = '',
  NAMESPACE,
  SECRETS = '',
  LIMIT_SECONDS,
} = process.env;
const token = readFileSync('/var/run/secrets/kubernetes.io/serviceaccount/token', 'utf8');
const deadline = Date.now() + Number(LIMIT_SECONDS) * 1000;

async function call(method, path) {
  const address = host.includes(':') ? `[${host}]` : host;
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`https://${address}:${port}${path}`, { method, headers });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const list = async (plural) => (await call('GET', `/apis/slipway.dev/v1alpha1/${plural}`))?.items ?? [];

const namesIn = (text) => text.split(',').filter((name) => name !== '');

for (const plural of namesIn(PLURALS)) {
  for (let items = await list(plural); items.length > 0; items = await list(plural)) {
    console.log(`${plural}: ${items.length} remaining`);
    if (Date.now() > deadline)
      throw new Error(`${plural}: ${items.length} could not be deleted within ${LIMIT_SECONDS} s`);
    for (const { metadata } of items.filter((item) => !item.metadata.deletionTimestamp)) {
      await call(
        'DELETE',
        `/apis/slipway.dev/v1alpha1/namespaces/${metadata.namespace}/${plural}/${metadata.name}`,
      );
    }
    await sleep(1000);
  }
  console.log(`${plural}: all deleted`);
}

for (const name of namesIn(SECRETS)) {
  await call('DELETE', `/api/v1/namespaces/${NAMESPACE}/secrets/${name}`);
  console.log(`Secret ${name}: deleted`);
}
