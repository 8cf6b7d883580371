import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../../../../console/src/ui/Button.tsx';
import styles from '../../explorer.module.css';
import { type Abi, interfaceOf } from '../abi.ts';
import type { Callable } from './callForm.ts';
import { useArguments } from './useArguments.tsx';

interface FunctionFormProps {
  abi: Abi;
  callable: Callable;
  action: string;
  /** Further fields, after the inputs. */
  extra?: ReactNode;
  /** What happens with the data of the call; what it answers is shown. */
  run: (data: string) => Promise<ReactNode>;
}

/** The inputs of a function, and what the call answered until one of them changes. */
export function FunctionForm({ abi, callable, action, extra, run }: FunctionFormProps) {
  const { fragment, signature } = callable;
  const { fields, read } = useArguments(fragment.inputs);
  const [isRunning, setRunning] = useState(false);
  const [answer, setAnswer] = useState<ReactNode>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setAnswer(undefined);
    const values = read();
    if (!values) return;
    setRunning(true);
    setAnswer(await run(interfaceOf(abi).encodeFunctionData(fragment, values)));
    setRunning(false);
  };
  return (
    <details className={styles.function}>
      <summary>
        <code>{signature}</code>
      </summary>
      <form
        className={styles.functionForm}
        onSubmit={(event) => void submit(event)}
        onChange={() => setAnswer(undefined)}
      >
        {fields}
        {extra}
        <div>
          <Button type="submit" isBusy={isRunning}>
            {action}
          </Button>
        </div>
        <div role="status" className={styles.answer}>
          {answer}
        </div>
      </form>
    </details>
  );
}
