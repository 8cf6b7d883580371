import { useRef, useState } from 'react';
import { useInside } from '../session/context.tsx';

interface Unsent<T> {
  value: T;
  set: (change: (now: T) => T) => void;
  /** Once it was sent, the next form begins empty. */
  forget: () => void;
}

/**
 * What was typed into a form. `kept` has it over Back, Forward and a session that ends, until it is sent or the tab is loaded
 * again. It is never for secrets. `name` tells forms that begin with different things from each other.
 */
export function useUnsent<T>(kept: Map<string, T>, name: string, start: T): Unsent<T> {
  const { me } = useInside();
  const key = [me.user.id, me.workspace?.id, name].join('/');
  const [value, setValue] = useState(() => kept.get(key) ?? start);
  // Several changes may come before the next render.
  const newest = useRef(value);
  const set = (change: (now: T) => T) => {
    newest.current = change(newest.current);
    kept.set(key, newest.current);
    setValue(newest.current);
  };
  return { value, set, forget: () => void kept.delete(key) };
}
