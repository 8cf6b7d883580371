import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { WorkspaceInput } from '../../../../sdk/src/generated/types.ts';
import { useSubmit } from '../../forms/useSubmit.ts';
import { curlOf, sdkOf, shellWord } from '../../lib/snippets.ts';
import { session } from '../../session/browser.ts';
import { useInside } from '../../session/context.tsx';
import { Failure } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { AsCode } from '../../ui/code/AsCode.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import surface from '../../ui/surface.module.css';
import { texts as uiTexts } from '../../ui/texts.ts';
import { texts } from './texts.ts';
import { bodyOf } from './workspaceBody.ts';

interface NewWorkspaceProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Creates a workspace and goes there. */
export function NewWorkspace({ isOpen, onClose }: NewWorkspaceProps) {
  return (
    <Dialog title={texts.createTitle} text={texts.createText} isOpen={isOpen} onClose={onClose}>
      <NewWorkspaceForm onClose={onClose} />
    </Dialog>
  );
}

function NewWorkspaceForm({ onClose }: { onClose: () => void }) {
  const { client, me } = useInside();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const body = bodyOf(name, description);
  const { isBusy, submit, at, error } = useSubmit({
    fields: ['name', 'description'],
    run: () => client.workspaces.create(body),
    done: ({ id }) => {
      onClose();
      void queries.invalidateQueries({ queryKey: ['workspaces'] });
      void navigate({ to: '/networks', search: {} }).then(() => session.enterWorkspace(id));
    },
  });
  return (
    <form className={surface.cardForm} onSubmit={submit} noValidate>
      {error !== undefined && <Failure error={error} />}
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        error={at.name}
        value={name}
        maxLength={63}
        onChange={setName}
      />
      <TextField
        label={texts.description}
        error={at.description}
        value={description}
        isOptional
        maxLength={1024}
        onChange={setDescription}
      />
      <AsCode
        snippets={[
          { name: 'curl', text: curlOf('/workspace/v1alpha1/workspaces', body, me.workspace?.id ?? '') },
          { name: 'CLI', text: cliOf(body) },
          { name: 'SDK', text: sdkOf('const { id } = await client.workspaces.create', body) },
        ]}
      />
      <div className={surface.dialogActions}>
        <Button onClick={onClose} disabled={isBusy}>
          {uiTexts.cancel}
        </Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {texts.create}
        </Button>
      </div>
    </form>
  );
}

function cliOf({ name, description }: WorkspaceInput): string {
  const option = description === undefined ? '' : ` --description ${shellWord(description)}`;
  return `slipway workspace create ${shellWord(name)}${option}`;
}
