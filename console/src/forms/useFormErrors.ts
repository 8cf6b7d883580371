import { type RefObject, useEffect, useRef, useState } from 'react';
import { type FieldErrors, noFieldErrors } from './fieldErrors.ts';

interface FormErrors {
  /** The form that is shown. */
  form: RefObject<HTMLFormElement | null>;
  errors: FieldErrors;
  setErrors: (errors: FieldErrors) => void;
}

/** What is wrong with a form. Once it is shown, the first field with an error has the focus; what no field has is in view. */
export function useFormErrors(): FormErrors {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState(noFieldErrors);
  useEffect(() => {
    if (errors === noFieldErrors) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid]');
    field?.focus();
    (field ?? form.current?.querySelector('[role=alert]'))?.scrollIntoView({ block: 'center' });
  }, [errors]);
  return { form, errors, setErrors };
}
