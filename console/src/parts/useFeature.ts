import { createContext, useContext } from 'react';
import type { Asked } from '../feature.ts';

/** All features. What a feature imports itself cannot import the list of them. */
export const FeaturesContext = createContext<readonly Asked[]>([]);

/** What one feature has; undefined if none has it. */
export function useFeature<Name extends keyof Asked>(name: Name): Asked[Name] | undefined {
  return useContext(FeaturesContext).find((feature) => feature[name])?.[name];
}
