import { type FormEvent, useState } from 'react';
import { dryRun } from '../../../../sdk/src/dryRun.ts';
import type { Secret, SecretInput } from '../../../../sdk/src/generated/types.ts';
import { errorsAt, type FieldErrors, noFieldErrors, withOwn } from '../../forms/fieldErrors.ts';
import { labelsOf, labelsProblem, labelsText } from '../../forms/labels.ts';
import { useFormErrors } from '../../forms/useFormErrors.ts';
import { FormProblems } from '../../parts/FormProblems.tsx';
import { useInside } from '../../session/context.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { useKeepOpen } from '../../ui/keepOpen.ts';
import surface from '../../ui/surface.module.css';
import { tell } from '../../ui/toasts.ts';
import { encoded, keyBytes, type Source, sizeOf, sources, sourcesOf } from './secrets.ts';
import { store } from './store.ts';
import { texts } from './texts.ts';
import { ValueField } from './ValueField.tsx';

const places = [
  [/^(metadata\.)?name\b/, 'name'],
  [/^metadata\.labels\b/, 'labels'],
  [/^type\b/, 'type'],
  [/^data\b/, 'value'],
] as const;

const types = ['ethereum-private-key', 'mnemonic', 'other'] as const;
type Type = (typeof types)[number];

interface SecretFormProps {
  /** The secret that the new one replaces. */
  replaced: Secret | undefined;
  onClose: () => void;
}

/** Everything but the value, which is in its field alone: no state of the page has it. */
function useFields(replaced: Secret | undefined) {
  const known = types.find((one) => one === replaced?.type);
  const [name, setName] = useState(replaced?.name ?? '');
  const [type, setKnownType] = useState<Type>(replaced ? (known ?? 'other') : 'ethereum-private-key');
  const [otherType, setOtherType] = useState(known ? '' : (replaced?.type ?? ''));
  const [labels, setLabels] = useState(labelsText(replaced?.metadata.labels));
  const [source, setSource] = useState<Source>(sourcesOf(type)[0] ?? 'text');
  const setType = (value: string) => {
    const next = types.find((one) => one === value) ?? 'other';
    setKnownType(next);
    setSource(sourcesOf(next)[0] ?? 'text');
  };
  return {
    name,
    setName,
    type,
    setType,
    otherType,
    setOtherType,
    labels,
    setLabels,
    source,
    setSource: (value: string) => setSource(sources.find((one) => one === value) ?? 'text'),
  };
}

type Fields = ReturnType<typeof useFields>;

function bodyOf({ name, type, otherType, labels }: Fields, data: string): SecretInput {
  const given = labelsOf(labels);
  return {
    name: name.trim(),
    type: type === 'other' ? otherType.trim() : type,
    data,
    ...(given ? { metadata: { labels: given } } : {}),
  };
}

export function SecretForm({ replaced, onClose }: SecretFormProps) {
  const { client } = useInside();
  const fields = useFields(replaced);
  const { form, errors, setErrors } = useFormErrors();
  const [isBusy, setBusy] = useState(false);
  const [isDeleted, setDeleted] = useState(false);
  useKeepOpen(isBusy);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const value = new FormData(event.currentTarget).get('value');
    const data = encoded(fields.source, typeof value === 'string' ? value : '');
    const own = ownProblems(fields, data);
    const isWrong = Object.keys(own).length > 0;
    if (isWrong && replaced) return setErrors({ ...noFieldErrors, at: own });
    const body = bodyOf(fields, data ?? '');
    setErrors(noFieldErrors);
    setBusy(true);
    const sent = isWrong
      ? // Stores nothing: the service says what else is wrong.
        client.secrets.create(body, dryRun)
      : store(client, { body, replaced, onDeleted: () => setDeleted(true) });
    sent
      .then(
        () => {
          if (isWrong) return setErrors({ ...noFieldErrors, at: own });
          form.current?.reset();
          tell(texts.created(fields.name.trim()));
          onClose();
        },
        (error) => setErrors(withOwn(errorsAt(error, places), own)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <form ref={form} className={surface.cardForm} onSubmit={submit} noValidate autoComplete="off">
      {replaced && isDeleted && !isBusy && (
        <Banner look="bad" icon="alert" title={texts.onlyDeleted(replaced.name)} />
      )}
      <FormProblems lines={errors.rest} title={texts.refused} />
      <FieldsOf fields={fields} errors={errors} isNameFixed={replaced !== undefined} />
      <div className={surface.dialogActions}>
        <Button onClick={onClose} disabled={isBusy}>
          {texts.cancel}
        </Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {replaced ? texts.replace : texts.create}
        </Button>
      </div>
    </form>
  );
}

/** What the form knows to be wrong. A replaced secret is deleted by the time that the service could say so. */
function ownProblems({ source, type, labels }: Fields, data: string | undefined): Record<string, string> {
  const wrong = data === undefined ? wrongOf(source) : wrongKey(type, data);
  return { ...(wrong ? { value: wrong } : {}), ...labelsProblem(labels) };
}

function wrongOf(source: Source): string {
  if (source === 'hex') return texts.wrongHex;
  return source === 'base64' ? texts.wrongBase64 : texts.noValue;
}

const wrongKey = (type: string, data: string) =>
  type === 'ethereum-private-key' && sizeOf(data) !== keyBytes ? texts.wrongKey : undefined;

function FieldsOf({
  fields,
  errors,
  isNameFixed,
}: {
  fields: Fields;
  errors: FieldErrors;
  isNameFixed: boolean;
}) {
  const { type, source } = fields;
  return (
    <>
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        error={errors.at.name}
        value={fields.name}
        disabled={isNameFixed}
        maxLength={63}
        onChange={fields.setName}
      />
      <SelectField
        label={texts.type}
        value={type}
        error={type === 'other' ? undefined : errors.at.type}
        options={types.map((value) => ({ value, label: texts.types[value] }))}
        onChange={fields.setType}
      />
      {type === 'other' && (
        <TextField
          label={texts.otherType}
          hint={texts.otherTypeHint}
          error={errors.at.type}
          value={fields.otherType}
          onChange={fields.setOtherType}
        />
      )}
      <SelectField
        label={texts.source}
        value={source}
        options={sourcesOf(type).map((value) => ({ value, label: texts.sources[value] }))}
        onChange={fields.setSource}
      />
      <ValueField source={source} error={errors.at.value} />
      <TextField
        label={texts.labels}
        hint={texts.labelsHint}
        error={errors.at.labels}
        value={fields.labels}
        isOptional
        onChange={fields.setLabels}
      />
    </>
  );
}
