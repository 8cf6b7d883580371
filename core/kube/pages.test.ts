import type { Kube, KubeObject, ListOptions, ListPage, ResourceType } from './kube.ts';
import { listPages } from './pages.ts';
import { configMapType } from './types.ts';

/** Answers one page after the other, each with the token of the next, and keeps what was asked. */
function kubeOf(...pages: string[][]) {
  const asked: ListOptions[] = [];
  const list = async (_type: ResourceType, options: ListOptions = {}): Promise<ListPage<KubeObject>> => {
    asked.push(options);
    const at = Number(options.continueToken ?? 0);
    const items = (pages[at] ?? []).map((name) => ({ metadata: { name } }));
    const more = at + 1 < pages.length ? { continueToken: String(at + 1) } : {};
    return { items, resourceVersion: '7', ...more } as unknown as ListPage<KubeObject>;
  };
  return { asked, kube: { list } as Pick<Kube, 'list'> };
}

const scope = { namespace: 'one', limit: 2 };

async function namesIn(kube: Pick<Kube, 'list'>): Promise<string[]> {
  const names: string[] = [];
  for await (const { items } of listPages(kube, configMapType, scope)) {
    names.push(...items.map(({ metadata }) => metadata.name));
  }
  return names;
}

describe('the pages of a list', () => {
  it('have each object once, in the order of the list', async () => {
    expect(await namesIn(kubeOf(['a', 'b'], ['c']).kube)).toEqual(['a', 'b', 'c']);
  });

  it('end when a page names no next one, even if it is empty', async () => {
    const { kube, asked } = kubeOf([]);
    expect(await namesIn(kube)).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  it('are asked for at a version only once, because kube-apiserver refuses it beside a token', async () => {
    const { kube, asked } = kubeOf(['a'], ['b']);
    const version = { resourceVersion: '7', resourceVersionMatch: 'Exact' } as const;
    for await (const _ of listPages(kube, configMapType, { ...scope, ...version }));
    expect(asked).toEqual([
      { ...scope, ...version },
      { ...scope, continueToken: '1' },
    ]);
  });

  it('are not read before they are wanted', async () => {
    const { kube, asked } = kubeOf(['a'], ['b']);
    for await (const _ of listPages(kube, configMapType, scope)) break;
    expect(asked).toHaveLength(1);
  });
});
