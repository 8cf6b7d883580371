import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../../../ui/Button.tsx';
import { TextField } from '../../../../ui/Field.tsx';
import styles from '../../explorer.module.css';
import type { Abi } from '../abi.ts';
import { type Callable, callData } from './callForm.ts';

interface FunctionFormProps {
  abi: Abi;
  callable: Callable;
  action: string;
  /** Further fields, after the inputs. */
  extra?: ReactNode;
  /** What happens with the data of the call; what it answers is shown. */
  run: (data: string) => Promise<ReactNode>;
}

/** The inputs of a function, each with what is wrong with it, and what the call answered. */
export function FunctionForm({ abi, callable, action, extra, run }: FunctionFormProps) {
  const { inputs } = callable.fragment;
  const [values, setValues] = useState<string[]>(() => inputs.map(() => ''));
  const [errors, setErrors] = useState<Record<number, string>>({});
  const [isRunning, setRunning] = useState(false);
  const [answer, setAnswer] = useState<ReactNode>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const parsed = callData(abi, callable, values);
    setErrors('errors' in parsed ? parsed.errors : {});
    if ('errors' in parsed) return;
    setRunning(true);
    setAnswer(await run(parsed.data));
    setRunning(false);
  };
  const change = (index: number, value: string) =>
    setValues((now) => now.map((one, place) => (place === index ? value : one)));
  return (
    <details className={styles.function}>
      <summary>
        <code>{callable.signature}</code>
      </summary>
      <form className={styles.functionForm} onSubmit={(event) => void submit(event)}>
        {inputs.map((input, index) => (
          <TextField
            // biome-ignore lint/suspicious/noArrayIndexKey: inputs have their places, and names may repeat.
            key={index}
            label={`${input.name || index} (${input.type})`}
            value={values[index] ?? ''}
            error={errors[index]}
            onChange={(value) => change(index, value)}
          />
        ))}
        {extra}
        <div>
          <Button type="submit" isBusy={isRunning}>
            {action}
          </Button>
        </div>
        <div role="status">{answer}</div>
      </form>
    </details>
  );
}
