import { useId, useRef } from 'react';
import { isSlipwayError } from '../../../../sdk/src/error.ts';
import { Button } from '../../ui/Button.tsx';
import { messageOf } from '../../ui/toasts.ts';
import styles from './change.module.css';
import { asDocument } from './document.ts';
import { texts } from './texts.ts';
import { type Problem, parseText } from './yamlText.ts';

interface SpecTextProps {
  text: string;
  /** Why the service refused the text. */
  error: unknown;
  onChange: (text: string) => void;
}

/** The whole of it as text: with the numbers of its lines, and what is wrong at its line. */
export function SpecText({ text, error, onChange }: SpecTextProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  const problems = problemsOf(text, error);
  const wrong = new Set(problems.map(({ line }) => line));
  const lines = text.split('\n');
  const scroll = () => {
    if (gutter.current && area.current) gutter.current.scrollTop = area.current.scrollTop;
  };
  return (
    <div className={styles.stack}>
      <label className={styles.label} htmlFor={id}>
        {texts.text}
      </label>
      <div className={styles.editor}>
        <pre ref={gutter} className={styles.gutter} aria-hidden="true">
          {lines.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
            <span key={index} className={wrong.has(index + 1) ? styles.wrongLine : undefined}>
              {index + 1}
            </span>
          ))}
        </pre>
        <textarea
          ref={area}
          id={id}
          className={styles.area}
          rows={Math.min(32, Math.max(16, lines.length + 1))}
          wrap="off"
          spellCheck={false}
          value={text}
          aria-invalid={problems.length > 0 || undefined}
          aria-describedby={problems.length > 0 ? `${id}-problems` : undefined}
          onScroll={scroll}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      {problems.length > 0 && (
        <ul id={`${id}-problems`} className={styles.problems} aria-label={texts.problems} aria-live="polite">
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.message}`}>
              {problem.line > 0 && (
                <Button isSmall onClick={() => area.current && selectLine(area.current, problem.line)}>
                  {texts.line(problem.line)}
                </Button>
              )}
              <span>{problem.message}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}

/** What is wrong with the text as such, or else what the service said about its members. */
function problemsOf(text: string, error: unknown): Problem[] {
  const { value, problems, lineOf } = parseText(text);
  if (problems.length > 0) return problems;
  if (!asDocument(value)) return [{ line: 0, message: texts.textShape }];
  if (error === undefined) return [];
  const details = isSlipwayError(error) ? error.details : [];
  if (details.length === 0) return [{ line: 0, message: messageOf(error) }];
  return details.map(({ path, message }) => ({
    line: lineOf(path.replace(/^metadata\./, '')),
    message: `${path}: ${message}`,
  }));
}
