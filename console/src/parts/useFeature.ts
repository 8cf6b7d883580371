import { createContext, useContext } from 'react';
import type { ConsoleFeature } from '../feature.ts';

/** All features, for what features import themselves: such parts cannot import the list. */
export const FeaturesContext = createContext<readonly ConsoleFeature[]>([]);

/** What one feature has; undefined if none has it. */
export function useFeature<Name extends keyof ConsoleFeature>(name: Name): ConsoleFeature[Name] | undefined {
  return useContext(FeaturesContext).find((feature) => feature[name])?.[name];
}
