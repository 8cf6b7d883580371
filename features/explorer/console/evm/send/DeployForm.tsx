import { type FormEvent, useState } from 'react';
import { Button } from '../../../../../console/src/ui/Button.tsx';
import { type Artifact, artifactOf } from '../../../../../core/abi/artifact.ts';
import { functionsOf, interfaceOf } from '../../../../../core/abi/calls.ts';
import styles from '../../explorer.module.css';
import { JsonFile } from '../../parts/JsonFile.tsx';
import { useArguments } from '../contract/useArguments.tsx';
import type { SendProps } from './form.ts';
import { texts } from './texts.ts';

interface Chosen {
  name: string;
  artifact: Artifact;
}

/** What a file has, read in this browser. Throws Error with what is missing. */
async function artifactIn(file: File): Promise<Chosen> {
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
    if (file) artifactIn(file).then(setChosen, (error: unknown) => setProblem(messageOf(error)));
  };
  return (
    <div className={styles.stack}>
      <JsonFile label={texts.artifact} hint={texts.artifactHint} error={problem} onChoose={choose} />
      {chosen && <Arguments key={chosen.name} chosen={chosen} isBusy={isBusy} send={send} />}
    </div>
  );
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function Arguments({ chosen: { name, artifact }, isBusy, send }: SendProps & { chosen: Chosen }) {
  const own = interfaceOf(artifact.abi);
  const { fields, read } = useArguments(own.deploy.inputs);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = read();
    if (!values) return;
    const data = artifact.bytecode + own.encodeDeploy(values).slice(2);
    send({ data, value: '0' }, { name, abi: artifact.abi });
  };
  return (
    <form className={styles.stack} onSubmit={submit} noValidate>
      <p role="status">{texts.chosen(name, functionsOf(artifact.abi).length)}</p>
      {fields}
      <div>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {texts.deploy}
        </Button>
      </div>
    </form>
  );
}
