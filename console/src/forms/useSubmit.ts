import { type FormEvent, useState } from 'react';
import { useKeepOpen } from '../ui/keepOpen.ts';
import { errorsAt, type FieldErrors, noFieldErrors, placesNamed } from './fieldErrors.ts';
import { useFormErrors } from './useFormErrors.ts';

interface Submission<T> {
  /** The fields of the form, as the API names them. */
  fields: readonly string[];
  /** The field that a conflict without details is about: the first one when absent, none for null. */
  taken?: string | null;
  run: () => Promise<T>;
  done: (result: T) => void;
}

interface Submit extends FieldErrors {
  isBusy: boolean;
  submit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * Sends a form once at a time. What the answer says goes to `done` and is kept nowhere here, because it may be a secret.
 * After a refusal the first field with an error has the focus.
 */
export function useSubmit<T>({ fields, taken = fields[0], run, done }: Submission<T>): Submit {
  const [isBusy, setBusy] = useState(false);
  const { form, errors, setErrors } = useFormErrors();
  useKeepOpen(isBusy);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    form.current = event.currentTarget;
    setBusy(true);
    setErrors(noFieldErrors);
    run()
      .then(done, (error: unknown) => setErrors(errorsAt(error, placesNamed(fields), taken ?? undefined)))
      .finally(() => setBusy(false));
  };
  return { isBusy, submit, ...errors };
}
