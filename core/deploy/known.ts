import { AppError } from '../lib/errors.ts';
import type { Known } from './step.ts';

export interface KnownValues extends Known {
  set(network: string, name: string, value: string): void;
}

export function createKnown(): KnownValues {
  const values = new Map<string, string>();
  const find = (network: string, name: string) => values.get(`${network}/${name}`);
  return {
    find,
    get(network, name) {
      const value = find(network, name);
      if (value === undefined)
        throw new AppError('Internal', `${name} of network ${network} is not known yet`);
      return value;
    },
    set: (network, name, value) => void values.set(`${network}/${name}`, value),
  };
}
