import { type EngineName, engineNames } from '../../core/api/engines.ts';
import type { ConfigMap } from '../../core/kube/types.ts';
import { parseRfc3339, toRfc3339 } from '../../core/lib/clock.ts';
import type { WantedEngines } from './board.ts';

type Data = Readonly<Record<string, string>>;

/** What the ConfigMap says, whoever wrote it. Invalid times, and names of other versions, are omitted. */
export function readWanted({ data = {} }: Pick<ConfigMap, 'data'>): WantedEngines {
  const found = engineNames.flatMap((name): [EngineName, number][] => {
    const sinceMs = parseRfc3339(data[name]);
    return sinceMs === undefined ? [] : [[name, sinceMs]];
  });
  return new Map(found);
}

export function renderWanted(wanted: WantedEngines): Data {
  return Object.fromEntries([...wanted].map(([name, sinceMs]) => [name, toRfc3339(sinceMs)]));
}
