import { labelsIn } from '../../../console/src/forms/labels.ts';
import controls from '../../../console/src/ui/controls.module.css';
import { CheckField, TextField } from '../../../console/src/ui/Field.tsx';
import { kinds, type WebhookForm } from './form.ts';
import { texts } from './texts.ts';
import styles from './webhooks.module.css';

/** The fields of the form, as the API names them. */
export const webhookFields = [...['name', 'spec.url', 'spec.description', 'spec.types'], 'spec.selector'];

interface FieldsProps {
  form: WebhookForm;
  at: Readonly<Record<string, string>>;
  /** Its name cannot be changed. */
  isNew: boolean;
  set: (change: Partial<WebhookForm>) => void;
}

export function WebhookFields({ form, at, isNew, set }: FieldsProps) {
  const labelsError = labelsIn(form.labels) ? at['spec.selector'] : texts.labelsWrong;
  return (
    <>
      {isNew && (
        <TextField
          label={texts.name}
          hint={texts.nameHint}
          error={at.name}
          value={form.name}
          maxLength={63}
          onChange={(name) => set({ name })}
        />
      )}
      <TextField
        label={texts.url}
        hint={texts.urlHint}
        error={at['spec.url']}
        type="url"
        placeholder="https://"
        value={form.url}
        onChange={(url) => set({ url })}
      />
      <Kinds form={form} set={set} />
      <TextField
        label={texts.types}
        hint={texts.typesHint}
        error={at['spec.types']}
        value={form.types}
        isOptional
        onChange={(types) => set({ types })}
      />
      <TextField
        label={texts.labels}
        hint={texts.labelsHint}
        error={labelsError}
        value={form.labels}
        isOptional
        onChange={(labels) => set({ labels })}
      />
      <TextField
        label={texts.description}
        error={at['spec.description']}
        value={form.description}
        isOptional
        onChange={(description) => set({ description })}
      />
    </>
  );
}

function Kinds({ form, set }: Pick<FieldsProps, 'form' | 'set'>) {
  return (
    <fieldset className={styles.kinds}>
      <legend className={controls.label}>{texts.kinds}</legend>
      <div>
        {kinds.map((kind) => (
          <CheckField
            key={kind}
            label={texts.kindNames[kind]}
            isChecked={form.kinds.includes(kind)}
            onChange={(isChecked) =>
              set({ kinds: kinds.filter((one) => (one === kind ? isChecked : form.kinds.includes(one))) })
            }
          />
        ))}
      </div>
      <p className={controls.hint}>{texts.kindsHint}</p>
    </fieldset>
  );
}
