import { SelectField } from '../../ui/Field.tsx';

interface ExpiryFieldProps {
  label: string;
  /** How long it is valid; 0 as its label says. */
  hours: number;
  options: readonly (readonly [hours: number, label: string])[];
  error?: string | undefined;
  onChange: (hours: number) => void;
}

/** How long something is valid. */
export function ExpiryField({ label, hours, options, error, onChange }: ExpiryFieldProps) {
  return (
    <SelectField
      label={label}
      error={error}
      value={String(hours)}
      options={options.map(([value, text]) => ({ value: String(value), label: text }))}
      onChange={(value) => onChange(Number(value))}
    />
  );
}
