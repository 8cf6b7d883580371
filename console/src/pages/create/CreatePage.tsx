import { Link, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { type FieldErrors, noFieldErrors, withOwn } from '../../forms/fieldErrors.ts';
import { labelsProblem, withLabels } from '../../forms/labels.ts';
import { useFormErrors } from '../../forms/useFormErrors.ts';
import { useUnsent } from '../../forms/useUnsent.ts';
import { NotStreamed } from '../../parts/Streamed.tsx';
import { useInside, useKind, useMay, useStream } from '../../session/context.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { AsCodeAside } from '../../ui/code/AsCode.tsx';
import controls from '../../ui/controls.module.css';
import { Empty } from '../../ui/Empty.tsx';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import page from '../../ui/page.module.css';
import surface from '../../ui/surface.module.css';
import { bodyIn, newKeyIn } from './body.ts';
import styles from './create.module.css';
import { errorsOf } from './errors.ts';
import { FormFields } from './FormFields.tsx';
import { formFor, type NetworkForm, toBody } from './form.ts';
import { startLike } from './like.ts';
import { snippetsOf } from './snippets.ts';
import { texts } from './texts.ts';
import { useCreate } from './useCreate.ts';

export function CreatePage() {
  usePageTitle(texts.title);
  if (!useMay('networks:write')) {
    return <Empty isPage icon="key" title={texts.forbiddenTitle} text={texts.forbiddenText} />;
  }
  return (
    <>
      <Link to="/networks" className={page.back}>
        <Icon name="arrowLeft" /> {texts.back}
      </Link>
      <h1 className={styles.title}>{texts.title}</h1>
      <Begin />
    </>
  );
}

/** A network that the form begins like must be known first. */
function Begin() {
  const { from, type, like } = useSearch({ from: '/networks/new' });
  const { objects } = useKind('network');
  const { isComplete } = useStream();
  const model = like === undefined ? undefined : objects.get(like);
  if (like !== undefined && !model && !isComplete) return <NotStreamed />;
  const name = [from, type, like].join('/');
  const start = model ? startLike(model) : { form: formFor(from, type) };
  return <CreateForm key={name} name={name} start={start} />;
}

interface Draft {
  form: NetworkForm;
  /** The request as text, where that is edited. */
  json?: string | undefined;
}

const unsent = new Map<string, Draft>();

function CreateForm({ name, start }: { name: string; start: Draft }) {
  const { me } = useInside();
  const { value, set, forget } = useUnsent(unsent, name, start);
  const { form, json } = value;
  const setJson = (text: string | undefined) => set((now) => ({ ...now, json: text }));
  const { form: element, errors, setErrors } = useFormErrors();
  const create = useCreate();
  const body = json === undefined ? toBody(form) : bodyIn(json);
  const newKey = body && newKeyIn(body, form);
  // Code has a name that can be replaced, as long as there is none.
  const named = form.name.trim() === '' ? { ...form, name: texts.exampleName } : form;
  const shown = json === undefined ? toBody(named) : body;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending || !body) return;
    const labels = json === undefined ? form.labels : '';
    setErrors(noFieldErrors);
    const onError = (error: unknown) => setErrors(withOwn(errorsOf(error), labelsProblem(labels)));
    create.mutate({ body: withLabels(body, labels), newKey }, { onError, onSuccess: forget });
  };
  return (
    <form ref={element} className={page.layout} onSubmit={submit} noValidate>
      <div className={page.column}>
        <Rest errors={errors} isForm={json === undefined} />
        {json === undefined ? (
          <FormFields
            form={form}
            errors={errors.at}
            set={(change) => set((now) => ({ ...now, form: { ...now.form, ...change } }))}
          />
        ) : (
          <JsonField json={json} isWrong={!body} onChange={setJson} />
        )}
        <div className={page.actions}>
          <Button type="submit" look="primary" isBusy={create.isPending} disabled={!body}>
            {texts.submit}
          </Button>
          <JsonToggle
            isJson={json !== undefined}
            onChange={(isJson) => setJson(isJson ? JSON.stringify(toBody(form), null, 2) : undefined)}
          />
        </div>
      </div>
      {shown && <AsCodeAside snippets={snippetsOf(shown, me.workspace?.id ?? '', newKeyIn(shown, named))} />}
    </form>
  );
}

/** What no field of the form is about. */
function Rest({ errors, isForm }: { errors: FieldErrors; isForm: boolean }) {
  const lines = isForm
    ? errors.rest
    : [...Object.entries(errors.at).map(([field, message]) => `${field}: ${message}`), ...errors.rest];
  if (lines.length === 0) return null;
  return (
    <Banner look="bad" icon="alert" title={texts.otherErrors}>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </Banner>
  );
}

interface JsonFieldProps {
  json: string;
  isWrong: boolean;
  onChange: (json: string) => void;
}

function JsonField({ json, isWrong, onChange }: JsonFieldProps) {
  return (
    <div className={`${surface.card} ${surface.cardBody}`}>
      <Field label={texts.json} error={isWrong ? texts.jsonWrong : undefined}>
        {(ids) => (
          <textarea
            {...ids}
            className={controls.input}
            rows={20}
            spellCheck={false}
            value={json}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
    </div>
  );
}

function JsonToggle({ isJson, onChange }: { isJson: boolean; onChange: (isJson: boolean) => void }) {
  return (
    <>
      <Button look="quiet" onClick={() => onChange(!isJson)}>
        {isJson ? texts.asForm : texts.asJson}
      </Button>
      {isJson && <span className={controls.hint}>{texts.asFormHint}</span>}
    </>
  );
}
