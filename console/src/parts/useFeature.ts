import { createContext, useContext } from 'react';
import type { Asked } from '../feature.ts';

/** All features. Parts that features import themselves cannot import the list. */
export const FeaturesContext = createContext<readonly Asked[]>([]);

/** What one feature has; undefined if none has it. */
export function useFeature<Name extends keyof Asked>(name: Name): Asked[Name] | undefined {
  return useContext(FeaturesContext).find((feature) => feature[name])?.[name];
}
