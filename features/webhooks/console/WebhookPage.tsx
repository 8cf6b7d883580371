import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageTitle } from '../../../console/src/app/usePageTitle.ts';
import { useMay } from '../../../console/src/session/context.tsx';
import { Banner } from '../../../console/src/ui/Banner.tsx';
import { Button, buttonClass, IconButton } from '../../../console/src/ui/Button.tsx';
import { Confirm } from '../../../console/src/ui/Confirm.tsx';
import { OnceSecret } from '../../../console/src/ui/code/OnceSecret.tsx';
import { Dialog } from '../../../console/src/ui/Dialog.tsx';
import { Empty } from '../../../console/src/ui/Empty.tsx';
import { Icon } from '../../../console/src/ui/Icon.tsx';
import { Loaded } from '../../../console/src/ui/Loaded.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../console/src/ui/Menu.tsx';
import { StateBadge } from '../../../console/src/ui/StateBadge.tsx';
import { isSlipwayError } from '../../../sdk/src/error.ts';
import type { Webhook } from '../../../sdk/src/generated/types.ts';
import { shownState } from '../api/shownState.ts';
import { Deliveries } from './Deliveries.tsx';
import { EditWebhook } from './EditWebhook.tsx';
import { useWebhook } from './queries.ts';
import { texts } from './texts.ts';
import { useWebhookActions } from './useWebhookActions.ts';
import { WebhookFacts } from './WebhookFacts.tsx';
import styles from './webhooks.module.css';

export function WebhookPage() {
  const { id } = useParams({ from: '/settings/webhooks/$id' });
  const webhook = useWebhook(id);
  const isGone = isSlipwayError(webhook.error, 'NotFound');
  usePageTitle(isGone ? texts.goneTitle : (webhook.data?.name ?? texts.title));
  return (
    <>
      <Link to="/settings/webhooks" className={styles.back}>
        <Icon name="arrowLeft" /> {texts.back}
      </Link>
      {isGone ? <Gone /> : <Loaded query={webhook}>{(data) => <Content webhook={data} />}</Loaded>}
    </>
  );
}

function Gone() {
  return (
    <Empty isPage icon="search" title={texts.goneTitle} text={texts.goneText}>
      <Link to="/settings/webhooks" className={buttonClass()}>
        {texts.toWebhooks}
      </Link>
    </Empty>
  );
}

function Content({ webhook }: { webhook: Webhook }) {
  const mayWrite = useMay('webhooks:write');
  const actions = useWebhookActions(webhook);
  return (
    <div className={styles.stack}>
      <div className={styles.head}>
        <h2>{webhook.name}</h2>
        <StateBadge state={shownState(webhook.status ?? {})} />
        {mayWrite && <Actions webhook={webhook} actions={actions} />}
      </div>
      <Trouble webhook={webhook} />
      <WebhookFacts webhook={webhook} />
      <Deliveries id={webhook.id} watch={actions.watch} />
    </div>
  );
}

interface ActionsProps {
  webhook: Webhook;
  actions: ReturnType<typeof useWebhookActions>;
}

function Actions({ webhook, actions }: ActionsProps) {
  const [isEditing, setEditing] = useState(false);
  const isPaused = webhook.status?.state === 'Paused' || webhook.spec.paused === true;
  return (
    <div className={styles.actions}>
      <Button icon="play" isBusy={actions.isBusy} disabled={isPaused} onClick={actions.test}>
        {texts.test}
      </Button>
      <Menu trigger={<IconButton icon="more" look="plain" label={texts.more} />}>
        <MenuItem icon="edit" onSelect={() => setEditing(true)}>
          {texts.edit}
        </MenuItem>
        <MenuItem icon={isPaused ? 'play' : 'pause'} onSelect={isPaused ? actions.resume : actions.pause}>
          {isPaused ? texts.resume : texts.pause}
        </MenuItem>
        <MenuItem icon="key" onSelect={actions.rotate}>
          {texts.rotate}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="trash" isDanger onSelect={actions.remove}>
          {texts.remove}
        </MenuItem>
      </Menu>
      <EditWebhook webhook={webhook} isOpen={isEditing} onClose={() => setEditing(false)} />
      <Confirm question={actions.question} onClose={actions.close} />
      <Dialog
        title={texts.rotatedTitle}
        isOpen={actions.secret !== undefined}
        isKept
        onClose={actions.forget}
      >
        <OnceSecret
          label={texts.secret}
          secret={actions.secret ?? ''}
          hint={texts.rotatedHint}
          onClose={actions.forget}
        />
      </Dialog>
    </div>
  );
}

/** Why nothing, or not everything, is sent. */
function Trouble({ webhook }: { webhook: Webhook }) {
  const { state, message = '', pauseReason = '' } = webhook.status ?? {};
  const reasons: Readonly<Record<string, string>> = texts.reasons;
  if (state === 'Error') return <Banner look="bad" icon="alert" title={message} />;
  if (state !== 'Paused') return null;
  return (
    <Banner
      look={pauseReason === 'Requested' ? 'plain' : 'busy'}
      icon="pause"
      title={reasons[pauseReason] ?? message}
    />
  );
}
