import type { ReactNode } from 'react';
import page from '../ui/page.module.css';
import surface from '../ui/surface.module.css';

interface SectionProps {
  title: string;
  /** Beside the title. */
  tools?: ReactNode;
  /** Whether the content has no fields in two columns. */
  isPlain?: boolean;
  children: ReactNode;
}

/** A part of a page with its title. */
export function Section({ title, tools, isPlain = false, children }: SectionProps) {
  return (
    <section className={surface.card} aria-label={title}>
      <div className={surface.cardHead}>
        <h2>{title}</h2>
        {tools}
      </div>
      {isPlain ? children : <div className={page.grid}>{children}</div>}
    </section>
  );
}
