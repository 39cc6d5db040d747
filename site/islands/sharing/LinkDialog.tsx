import { useState } from 'react';
import type { NewShare, ShareView } from '#server/sharing/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/sharing.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { confirm } from '../../lib/confirm.ts';
import { toast } from '../../lib/toast.ts';
import { calls } from './calls.ts';
import { LinkFields } from './LinkFields.tsx';
import { CreatedLink } from './CreatedLink.tsx';
import { fieldsOf, mergeFields, requestOf } from './linkFields.ts';
import { useLinkForm } from './useLinkForm.ts';
import { describeItems } from './describeItems.ts';

export interface LinkDialogProps {
  share: ShareView;
  maxDays: number | undefined;
  onClose: () => void;
  /** Called after the link was changed or got a new address. */
  onChanged: () => void;
}

/** Changes a link or gives it a new address. */
export default function LinkDialog({ share, maxDays, onClose, onChanged }: LinkDialogProps) {
  const [createdLink, setCreatedLink] = useState<NewShare>();
  const [unsent, setUnsent] = useState(false);
  const [start] = useState(() => fieldsOf(share));
  const form = useLinkForm(() => start);
  const save = form.submit(async () => {
    const latest = await calls.latest(share);
    await calls.change(share.id, requestOf(mergeFields(share, latest, form.fields), latest));
    toast.success(t.saved);
    onChanged();
    onClose();
  });
  const renew = form.submit(async () => {
    const yes = await confirm({
      title: t.newAddressQuestion,
      body: t.newAddressAbout,
      action: t.newAddressAction,
    });
    if (!yes) return;
    setCreatedLink(await calls.renew(share.id));
    onChanged();
  });
  const revoked = () => {
    onChanged();
    onClose();
  };
  const changed = JSON.stringify(form.fields) !== JSON.stringify(start);
  if (createdLink) {
    // Back to typed changes that are not saved yet.
    const leave = changed ? () => setCreatedLink(undefined) : onClose;
    return (
      <Dialog title={t.ready} size="md" isOpen onOpenChange={leave} keepsTyped={unsent} isUnsaved={changed}>
        <CreatedLink link={createdLink} onUnsent={setUnsent} onDone={leave} onRevoked={revoked} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={t.linkTo(describeItems(share.items))}
      size="md"
      isOpen
      onOpenChange={onClose}
      keepsTyped
      isUnsaved={changed}
      // A new address ends the old one and is shown only here.
      isKeyboardDismissDisabled={form.busy}
      hasClose={!form.busy}
    >
      <form className="contents" noValidate onSubmit={(event) => void save(event)}>
        <DialogBody className="flex flex-col gap-4">
          {form.fault && <Alert>{form.fault}</Alert>}
          <LinkFields
            items={share.items}
            fields={form.fields}
            clientId={share.client?.id ?? null}
            set={form.set}
            before={share}
            errors={form.errors}
            maxDays={maxDays}
          />
        </DialogBody>
        <DialogFooter>
          <Button className="mr-auto" isDisabled={form.busy} onPress={() => void renew()}>
            {t.newAddress}
          </Button>
          <Button isDisabled={form.busy} onPress={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" variant="primary" busy={form.busy} busyLabel={common.saving}>
            {t.save}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
