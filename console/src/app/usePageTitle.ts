import { useEffect } from 'react';
import { texts } from './texts.ts';

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
}
