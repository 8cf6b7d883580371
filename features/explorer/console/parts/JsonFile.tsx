import controls from '../../../../console/src/ui/controls.module.css';
import { Field } from '../../../../console/src/ui/Field.tsx';

interface JsonFileProps {
  label: string;
  hint: string;
  error: string | undefined;
  onChoose: (file: File | undefined) => void;
}

/** A JSON file of the user's, which stays in the browser. */
export function JsonFile({ label, hint, error, onChoose }: JsonFileProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input
          {...ids}
          type="file"
          accept="application/json,.json"
          className={controls.input}
          onChange={({ target }) => onChoose(target.files?.[0])}
        />
      )}
    </Field>
  );
}
