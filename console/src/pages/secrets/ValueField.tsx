import controls from '../../ui/controls.module.css';
import { Field } from '../../ui/Field.tsx';
import page from '../../ui/page.module.css';
import type { Source } from './secrets.ts';
import { texts } from './texts.ts';

interface ValueFieldProps {
  source: Source;
  error: string | undefined;
}

/** React does not know what is in it. */
export function ValueField({ source, error }: ValueFieldProps) {
  if (source === 'random') return null;
  return (
    <div className={page.wide}>
      <Field label={texts.value} hint={texts.valueHint} error={error}>
        {(ids) => (
          <input
            {...ids}
            key={source}
            name="value"
            type="password"
            autoComplete="off"
            spellCheck={false}
            className={`${controls.input} ${page.mono}`}
          />
        )}
      </Field>
    </div>
  );
}
