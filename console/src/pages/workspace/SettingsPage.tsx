import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Workspace } from '../../../../sdk/src/generated/types.ts';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { useSubmit } from '../../forms/useSubmit.ts';
import { session } from '../../session/browser.ts';
import { useInside, useLive, useMay } from '../../session/context.tsx';
import { Failure } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Confirm, type Question } from '../../ui/Confirm.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { TextField } from '../../ui/Field.tsx';
import surface from '../../ui/surface.module.css';
import { tell } from '../../ui/toasts.ts';
import { texts } from './texts.ts';
import styles from './workspace.module.css';
import { bodyOf } from './workspaceBody.ts';

export function SettingsPage() {
  usePageTitle(texts.settings);
  const { workspace } = useInside().me;
  const mayDelete = useMay('workspaces:delete');
  if (!workspace) return null;
  return (
    <div className={`${styles.stack} ${styles.narrow}`}>
      <General key={workspace.id} workspace={workspace} />
      {mayDelete && <Danger workspace={workspace} />}
    </div>
  );
}

function General({ workspace }: { workspace: Workspace }) {
  const { client } = useInside();
  const mayWrite = useMay('workspaces:write');
  const [name, setName] = useState(workspace.name);
  const [description, setDescription] = useState(workspace.description ?? '');
  const { isBusy, submit, at, error } = useSubmit({
    fields: ['name', 'description'],
    run: () => client.workspaces.replace(workspace.id, bodyOf(name, description)),
    done: () => {
      tell(texts.saved);
      // The name is everywhere on the page.
      void session.enterWorkspace(workspace.id);
    },
  });
  const isChanged = name !== workspace.name || description !== (workspace.description ?? '');
  return (
    <Card title={texts.general}>
      <form className={surface.cardBody} onSubmit={submit} noValidate>
        {error !== undefined && <Failure error={error} />}
        <TextField
          label={texts.name}
          hint={texts.nameHint}
          error={at.name}
          value={name}
          maxLength={63}
          disabled={!mayWrite}
          onChange={setName}
        />
        <TextField
          label={texts.description}
          error={at.description}
          value={description}
          isOptional
          maxLength={1024}
          disabled={!mayWrite}
          onChange={setDescription}
        />
        <div>
          <h3>{texts.id}</h3>
          <span className={styles.id}>
            <code>{workspace.id}</code>
            <CopyButton text={workspace.id} label={texts.copyId} />
          </span>
          <p className={styles.muted}>{texts.idHint}</p>
        </div>
        {mayWrite ? (
          <div>
            <Button type="submit" look="primary" isBusy={isBusy} disabled={!isChanged}>
              {texts.save}
            </Button>
          </div>
        ) : (
          <p className={styles.muted}>{texts.readOnly}</p>
        )}
      </form>
    </Card>
  );
}

function Danger({ workspace }: { workspace: Workspace }) {
  const { client, me } = useInside();
  const { networks, isComplete } = useLive();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [question, setQuestion] = useState<Question>();
  const { personalWorkspaceID } = me.user;
  const isPersonal = workspace.id === personalWorkspaceID;
  const isUsed = isComplete && networks.size > 0;
  const ask = () =>
    setQuestion({
      title: texts.removeTitle(workspace.name),
      text: texts.removeText,
      action: texts.remove,
      isDanger: true,
      typed: { label: texts.removeTyped, value: workspace.name },
      run: async () => {
        await client.workspaces.delete(workspace.id);
        tell(texts.removed);
        await queries.invalidateQueries({ queryKey: ['workspaces'] });
        await navigate({ to: '/networks', search: {} });
        await session.enterWorkspace(personalWorkspaceID);
      },
    });
  return (
    <Card title={texts.dangerTitle}>
      <div className={surface.cardBody}>
        <p>{isPersonal ? texts.dangerPersonal : texts.dangerText}</p>
        {isUsed && !isPersonal && <p className={styles.muted}>{texts.dangerNetworks(networks.size)}</p>}
        {!isPersonal && (
          <div>
            <Button look="danger" icon="trash" disabled={isUsed} onClick={ask}>
              {texts.remove}
            </Button>
          </div>
        )}
      </div>
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </Card>
  );
}
