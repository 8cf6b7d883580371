import type { ReactNode } from 'react';
import page from '../page.module.css';

interface ScrolledProps {
  label: string;
  /** Of what is around it as well, where that is not a card. */
  className?: string | undefined;
  children: ReactNode;
}

/** What scrolls by itself where it is too wide, also by keyboard. It is not a landmark: the card around it is one, often with the same name. */
export function Scrolled({ label, className = '', children }: ScrolledProps) {
  return (
    <div role="group" className={`${page.scroll} ${className}`} aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
