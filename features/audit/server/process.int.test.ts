import { eventually } from '../../../apiserver/testing/eventually.ts';
import { authorization, url, useProcesses } from '../../../apiserver/testing/processes.ts';

useProcesses();

it('the process writes what callers did beside their requests, and lists it', async () => {
  const headers = { ...authorization, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name: 'audited', type: 'any', data: btoa('data') });
  expect((await fetch(`${url}/v1alpha/secrets`, { method: 'POST', headers, body })).status).toBe(201);
  const list = async () => {
    const answer = await fetch(`${url}/workspace/v1alpha1/workspaces/default/audit`, { headers });
    return ((await answer.json()) as { items: { action: string }[] }).items.map(({ action }) => action);
  };
  expect(await eventually(list, (actions) => actions.length > 0)).toContain('createSecret');
});
