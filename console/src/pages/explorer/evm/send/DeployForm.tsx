import { type FormEvent, useId, useState } from 'react';
import {
  type Artifact,
  artifactOf,
  constructorInputs,
  creationData,
} from '../../../../../../core/abi/artifact.ts';
import { functionsOf } from '../../../../../../core/abi/calls.ts';
import { Failure } from '../../../../ui/Banner.tsx';
import { Button } from '../../../../ui/Button.tsx';
import controls from '../../../../ui/controls.module.css';
import { Field, TextField } from '../../../../ui/Field.tsx';
import styles from '../../explorer.module.css';
import type { SendProps } from './form.ts';
import { texts } from './texts.ts';

interface Chosen {
  name: string;
  artifact: Artifact;
}

/** What a file has, read in this browser. Throws Error with what is missing. */
async function read(file: File): Promise<Chosen> {
  const text = await file.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(texts.notJson);
  }
  return { name: file.name.replace(/\.json$/, ''), artifact: artifactOf(value) };
}

export function DeployForm({ isBusy, send }: SendProps) {
  const [chosen, setChosen] = useState<Chosen>();
  const [problem, setProblem] = useState<string>();
  const choose = (file: File | undefined) => {
    setChosen(undefined);
    setProblem(undefined);
    if (file) read(file).then(setChosen, (error: unknown) => setProblem(messageOf(error)));
  };
  return (
    <div className={styles.stack}>
      <Field label={texts.artifact} hint={texts.artifactHint} error={problem}>
        {(ids) => (
          <input
            {...ids}
            type="file"
            accept="application/json,.json"
            className={controls.input}
            onChange={({ target }) => choose(target.files?.[0])}
          />
        )}
      </Field>
      {chosen && <Arguments key={chosen.name} chosen={chosen} isBusy={isBusy} send={send} />}
    </div>
  );
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function Arguments({ chosen: { name, artifact }, isBusy, send }: SendProps & { chosen: Chosen }) {
  const inputs = constructorInputs(artifact);
  const [values, setValues] = useState(() => inputs.map(() => ''));
  const [problem, setProblem] = useState<unknown>();
  const form = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    try {
      send({ data: creationData(artifact, values), value: '0' }, { name, abi: artifact.abi });
    } catch (error) {
      setProblem(error);
    }
  };
  const change = (index: number, value: string) =>
    setValues((now) => now.map((one, place) => (place === index ? value : one)));
  return (
    <form className={styles.stack} onSubmit={submit} noValidate>
      <p role="status">{texts.chosen(name, functionsOf(artifact.abi).length)}</p>
      {inputs.map((input, index) => (
        <TextField
          // biome-ignore lint/suspicious/noArrayIndexKey: inputs have their places, and names may repeat.
          key={`${form}${index}`}
          label={texts.argument(input.name || String(index + 1), input.type)}
          value={values[index] ?? ''}
          onChange={(value) => change(index, value)}
        />
      ))}
      {problem !== undefined && <Failure error={problem} />}
      <div>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {texts.deploy}
        </Button>
      </div>
    </form>
  );
}
