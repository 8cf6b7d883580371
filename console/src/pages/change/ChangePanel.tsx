import { useState } from 'react';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { noFieldErrors } from '../../forms/fieldErrors.ts';
import { useInside } from '../../session/context.tsx';
import { Banner, Failure } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { tell, tellWarning } from '../../ui/toasts.ts';
import { errorsOf } from '../create/errors.ts';
import { ChangeFields } from './ChangeFields.tsx';
import { Conflicts } from './Conflicts.tsx';
import styles from './change.module.css';
import { Diff } from './Diff.tsx';
import { documentText, toInput } from './document.ts';
import { replaceNetwork } from './replace.ts';
import { SpecText } from './SpecText.tsx';
import { texts } from './texts.ts';
import { useDraft } from './useDraft.ts';

interface ChangePanelProps {
  network: Network;
  onClose: () => void;
}

/** Changes a network: what is sent is seen before, and what others change meanwhile is not overwritten. */
export function ChangePanel({ network, onClose }: ChangePanelProps) {
  const draft = useDraft(network);
  const { base, document, mode } = draft;
  const { isBusy, error, apply } = useApply(network, onClose);
  const isBehind = (network.metadata.rev ?? 0) > (base.rev ?? 0);
  const errors = error === undefined ? noFieldErrors : errorsOf(error);
  const isChanged = document !== undefined && documentText(document) !== documentText(base.document);
  return (
    <div className={styles.panel}>
      {isBehind && (
        <Behind onBring={() => draft.bring(network)} hasConflicts={draft.conflicts !== undefined} />
      )}
      {draft.conflicts && <Conflicts conflicts={draft.conflicts} onMerge={draft.settle} />}
      {error !== undefined && !isBehind && mode === 'form' && <Rest error={error} rest={errors.rest} />}
      <div className={styles.columns}>
        <div className={styles.edit}>
          <Modes mode={mode} isDisabled={document === undefined} onChange={draft.setMode} />
          {mode === 'form' ? (
            <ChangeFields form={draft.form} errors={errors.at} set={draft.setForm} />
          ) : (
            <SpecText text={draft.text} error={isBehind ? undefined : error} onChange={draft.setText} />
          )}
        </div>
        <Card title={texts.changes}>
          {isChanged ? (
            <Diff before={documentText(base.document)} after={documentText(document)} />
          ) : (
            <p className={styles.none}>{texts.noChanges}</p>
          )}
        </Card>
      </div>
      {isChanged && mayStartNewChain(base.document.spec, document.spec) && (
        <Banner look="busy" icon="alert" title={texts.newChainTitle}>
          <span>{texts.newChain}</span>
        </Banner>
      )}
      <div className={styles.actions}>
        <Button
          look="primary"
          isBusy={isBusy}
          disabled={!isChanged || isBehind}
          onClick={() => document && apply(toInput(document, base.rev))}
        >
          {texts.apply}
        </Button>
        <Button onClick={onClose}>{texts.cancel}</Button>
      </div>
    </div>
  );
}

/** Sends the change. */
function useApply(network: Network, onClose: () => void) {
  const { client, observe } = useInside();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const apply = (input: ReturnType<typeof toInput>) => {
    setBusy(true);
    setError(undefined);
    replaceNetwork(client, network.id, input)
      .then(
        ({ changed, warning }) => {
          observe(changed);
          tell(texts.applied);
          if (warning !== undefined) tellWarning(warning);
          onClose();
        },
        (failure: unknown) => setError(failure),
      )
      .finally(() => setBusy(false));
  };
  return { isBusy, error, apply };
}

/** Plugins come and go beside the chain; all else of it may be more than the engine can take over. */
function mayStartNewChain(before: Network['spec'], after: Network['spec']): boolean {
  const text = ({ chain, from }: Network['spec']) =>
    JSON.stringify([chain, from], (name, value) => (name === 'plugins' ? undefined : value));
  return text(before) !== text(after);
}

interface BehindProps {
  hasConflicts: boolean;
  onBring: () => void;
}

/** The service refuses a change of an older revision: the newer one is already on this page. */
function Behind({ hasConflicts, onBring }: BehindProps) {
  return (
    <Banner look="busy" icon="refresh" title={texts.behindTitle}>
      <span>{texts.behind}</span>
      {!hasConflicts && (
        <div className={styles.bring}>
          <Button onClick={onBring}>{texts.bring}</Button>
        </div>
      )}
    </Banner>
  );
}

function Rest({ error, rest }: { error: unknown; rest: readonly string[] }) {
  if (rest.length === 0) return null;
  return <Failure error={error} />;
}

interface ModesProps {
  mode: 'form' | 'text';
  isDisabled: boolean;
  onChange: (mode: 'form' | 'text') => void;
}

function Modes({ mode, isDisabled, onChange }: ModesProps) {
  const names = { form: texts.asForm, text: texts.asText };
  return (
    <fieldset className={styles.modes}>
      <legend className={styles.hidden}>{texts.mode}</legend>
      {(['form', 'text'] as const).map((one) => (
        <Button
          key={one}
          isSmall
          look={mode === one ? 'plain' : 'quiet'}
          aria-pressed={mode === one}
          disabled={isDisabled && mode !== one}
          onClick={() => onChange(one)}
        >
          {names[one]}
        </Button>
      ))}
      <span className={styles.muted}>{texts.formHint}</span>
    </fieldset>
  );
}
