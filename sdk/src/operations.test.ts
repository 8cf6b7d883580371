import { isFollowed, isResumed, methodNameOf } from '../../core/api/openapi/methodNames.ts';
import { documentedPath } from '../../core/api/operations/operation.ts';
import { type OperationId, operationIds, operationOf } from '../../core/api/operations/operations.ts';
import { groupsOf } from './generated/groups.ts';

interface Sent {
  method: string;
  path: string;
  input: object | undefined;
}

/** A client that only notes what it would send, and answers an empty page. */
function notingClient() {
  const sent: Sent[] = [];
  const send = async <T>(method: string, path: string, input?: object) => {
    sent.push({ method, path, input });
    // The methods under test hand the answer on without a look at it.
    return { items: [], metadata: {} } as T;
  };
  const follow = <T>(path: string, input: object) => {
    sent.push({ method: 'GET', path, input });
    return {} as AsyncGenerator<T, void, undefined>;
  };
  const groups: Record<string, object> = { ...groupsOf({ send, follow }) };
  return { sent, groups };
}

const { groups } = notingClient();
const methods = Object.entries(groups).flatMap(([group, members]) =>
  Object.keys(members).map((method) => `${group}.${method}`),
);
const ids = operationIds.filter((id) => !isResumed(id));
const nameOf = (id: OperationId) => {
  const { group, method } = methodNameOf(id);
  return `${group}.${method}`;
};

it('has one method for each operation, and a walk through all pages beside each list of pages', () => {
  const walks = ids.filter((id) => operationOf(id).query?.shape.cursor).map(nameOf);
  const expected = [...ids.map(nameOf), ...walks.map((name) => name.replace('.list', '.listAll'))];
  expect(methods.toSorted()).toEqual(expected.toSorted());
});

it('gives no two operations the same name', () => {
  expect(new Set(ids.map(nameOf)).size).toBe(ids.length);
});

it.each(ids)('%s sends the request of its operation', async (id) => {
  const operation = operationOf(id);
  const { sent, groups: noting } = notingClient();
  const { group, method } = methodNameOf(id);
  const call: (...values: unknown[]) => Promise<unknown> = Reflect.get(noting[group] ?? {}, method);
  const params = Object.keys(operation.params?.shape ?? {});
  const values = Object.fromEntries(params.map((name) => [name, `the-${name}`]));
  const place = params.length > 1 ? [values] : Object.values(values);
  const body = { is: 'the body' };
  const query = { is: 'the query' };
  const hasQuery = !isFollowed(id) && Object.keys(operation.query?.shape ?? {}).length > 0;
  await call(...place, ...(operation.body ? [body] : []), ...(hasQuery ? [query] : []), {
    timeoutMs: 7,
  });
  expect(sent).toEqual([
    {
      method: operation.method,
      path: documentedPath(operation).replaceAll(/\{(\w+)\}/g, (_text, name) => `the-${name}`),
      input: {
        timeoutMs: 7,
        ...(operation.body ? { body } : {}),
        ...(hasQuery ? { query } : {}),
        ...(operation.success.contentType && !isFollowed(id)
          ? { accept: operation.success.contentType }
          : {}),
      },
    },
  ]);
});
