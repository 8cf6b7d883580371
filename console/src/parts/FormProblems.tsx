import { Banner } from '../ui/Banner.tsx';
import { texts } from './texts.ts';

interface FormProblemsProps {
  lines: readonly string[];
  title?: string;
}

/** What no field of a form is about. */
export function FormProblems({ lines, title = texts.otherErrors }: FormProblemsProps) {
  if (lines.length === 0) return null;
  return (
    <Banner look="bad" icon="alert" title={title}>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </Banner>
  );
}
