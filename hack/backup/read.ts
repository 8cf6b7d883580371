import type { Kube, KubeObject, ListOptions, ResourceType, Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';

const pageSize = 100;

/** All pages of a list. */
export async function readAll<T extends KubeObject>(
  kube: Kube,
  type: ResourceType<T>,
  options: ListOptions = {},
): Promise<Stored<T>[]> {
  const { resourceVersion, resourceVersionMatch, ...others } = options;
  const found: Stored<T>[] = [];
  let continueToken: string | undefined;
  do {
    // The token of a page names the moment itself.
    const moment =
      continueToken === undefined ? { resourceVersion, resourceVersionMatch } : { continueToken };
    const page = await kube.list(type, { ...others, ...compact(moment), limit: pageSize });
    for (const item of page.items) found.push({ ...item, kind: type.kind });
    continueToken = page.continueToken;
  } while (continueToken);
  return found;
}
