import { useEffect } from 'react';
import { texts } from './texts.ts';

/** The title of the tab, as long as the component is there; before and after, it is that of what is around it. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · ${texts.product}`;
    return () => {
      document.title = before;
    };
  }, [title]);
}
