import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './controls.module.css';
import { texts } from './texts.ts';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  isOptional?: boolean | undefined;
}

interface Ids {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

/** A label, what it is about, and what is wrong with it, tied to the control that `children` makes. */
export function Field({
  label,
  hint,
  error,
  isOptional,
  children,
}: FieldProps & { children: (ids: Ids) => ReactNode }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label} {isOptional && <span className={styles.optional}>({texts.optional})</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {error && (
        <p className={styles.error} id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

type InputProps = FieldProps &
  Omit<ComponentProps<'input'>, 'onChange'> & { onChange: (value: string) => void };

export function TextField({ label, hint, error, isOptional, onChange, className, ...rest }: InputProps) {
  return (
    <Field label={label} hint={hint} error={error} isOptional={isOptional}>
      {(ids) => (
        <input
          autoComplete="off"
          spellCheck={false}
          {...rest}
          {...ids}
          className={`${styles.input} ${className ?? ''}`}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface Option {
  value: string;
  label: string;
  isDisabled?: boolean;
}

type SelectProps = FieldProps &
  Omit<ComponentProps<'select'>, 'onChange'> & {
    options: readonly Option[];
    onChange: (value: string) => void;
  };

export function SelectField({ label, hint, error, isOptional, options, onChange, ...rest }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error} isOptional={isOptional}>
      {(ids) => (
        <select
          {...rest}
          {...ids}
          className={styles.input}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map(({ value, label: text, isDisabled }) => (
            <option key={value} value={value} disabled={isDisabled}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps {
  label: string;
  hint?: string | undefined;
  isChecked: boolean;
  isDisabled?: boolean;
  onChange: (isChecked: boolean) => void;
}

export function CheckField({ label, hint, isChecked, isDisabled, onChange }: CheckProps) {
  const id = useId();
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={hint && id}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {label}
        {hint && (
          <span className={`${styles.field} ${styles.hint}`} id={id}>
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
