import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Recording } from '../../../../sdk/src/generated/types.ts';
import { download } from '../../lib/download.ts';
import { shortHex } from '../../parts/links.tsx';
import { useAddressName } from '../../parts/useAddressName.ts';
import { useInside, useMay } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm, type Question } from '../../ui/Confirm.tsx';
import { Icon } from '../../ui/Icon.tsx';
import page from '../../ui/page.module.css';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { tell, tellFailure } from '../../ui/toasts.ts';
import { texts } from './texts.ts';

export function Header({ recording }: { recording: Recording }) {
  const mayWrite = useMay('recordings:write');
  const { name, user_address, state } = recording;
  const wallet = useAddressName()(user_address) ?? shortHex(user_address);
  return (
    <>
      <Link to="/recordings" className={page.back}>
        <Icon name="arrowLeft" /> {texts.back}
      </Link>
      <div className={page.head}>
        <h1>{name ?? texts.title(wallet)}</h1>
        <StateBadge state={state} />
        <Export recording={recording} />
        {mayWrite && <Actions recording={recording} />}
      </div>
    </>
  );
}

function Export({ recording: { id } }: { recording: Recording }) {
  const { client } = useInside();
  const [isBusy, setBusy] = useState(false);
  const save = () => {
    setBusy(true);
    client.recordings
      .getDocument(id)
      .then((document) => {
        download(`recording-${id}.json`, JSON.stringify(document, null, 2));
        tell(texts.exported);
      }, tellFailure)
      .finally(() => setBusy(false));
  };
  return (
    <Button icon="download" isBusy={isBusy} onClick={save}>
      {texts.export}
    </Button>
  );
}

function Actions({ recording: { id, state } }: { recording: Recording }) {
  const { client } = useInside();
  const navigate = useNavigate();
  const [question, setQuestion] = useState<Question>();
  const stop = () =>
    setQuestion({
      title: texts.stopTitle,
      text: texts.stopText,
      action: texts.stop,
      run: async () => {
        await client.recordings.stop({ recordingId: id });
        tell(texts.stopped);
      },
    });
  const remove = () =>
    setQuestion({
      title: texts.removeTitle,
      text: texts.removeText,
      action: texts.remove,
      isDanger: true,
      run: async () => {
        await client.recordings.delete(id);
        tell(texts.removed);
        await navigate({ to: '/recordings' });
      },
    });
  return (
    <>
      {state === 'recording' && (
        <Button icon="stop" look="primary" onClick={stop}>
          {texts.stop}
        </Button>
      )}
      <Button icon="trash" look="danger" onClick={remove}>
        {texts.remove}
      </Button>
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </>
  );
}
