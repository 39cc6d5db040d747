import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { NewShare } from '#server/sharing/contract.ts';
import { DEFAULT_DAYS, MAX_SHARED_ITEMS } from '#server/sharing/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/sharing.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { refreshKeys } from '../../lib/cache.ts';
import { may } from '../../lib/permissions.ts';
import { calls } from './calls.ts';
import { LinksOfItem, SharedAmong } from './ExistingLinks.tsx';
import { LinkFields } from './LinkFields.tsx';
import { CreatedLink } from './CreatedLink.tsx';
import { loadSharedItems } from './sharedItems.ts';
import { defaultFields, requestOf } from './linkFields.ts';
import { useLinkForm } from './useLinkForm.ts';

const clientOfAll = ([first, ...others]: ShareDialogProps['items']): number | null =>
  first && others.every(({ client_id }) => client_id === first.client_id) ? first.client_id : null;

export interface ShareDialogProps {
  items: readonly Pick<ItemView, 'id' | 'name' | 'type' | 'client_id'>[];
  /** The recipient's address, if the link is for one person. */
  email?: string | null;
  onClose: () => void;
}

/** Creates a link with the chosen options, then shows it for copying and sending. */
export default function ShareDialog({ items, email, onClose }: ShareDialogProps) {
  const cache = useQueryClient();
  const [createdLink, setCreatedLink] = useState<NewShare>();
  const [unsent, setUnsent] = useState(false);
  const [one] = items;
  const single = items.length === 1 && one;
  const { data: settings } = useQuery({
    queryKey: ['shares', 'settings'],
    queryFn: ({ signal }) => calls.settings(signal),
    staleTime: 0,
  });
  const tooMany = items.length > MAX_SHARED_ITEMS;
  const viewOnly = !may('documents.download');
  const form = useLinkForm(() => defaultFields(Date.now(), { viewOnly, email }));
  const { set } = form;
  const maxDays = settings?.max_days;
  useEffect(() => {
    // The firm's maximum may be shorter than the default validity.
    if (maxDays !== undefined && maxDays < DEFAULT_DAYS)
      set({ expires_on: defaultFields(Date.now(), { days: maxDays }).expires_on });
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [maxDays]);
  const refreshLinks = () => {
    void refreshKeys(cache, ['shares']);
    void loadSharedItems();
  };
  const create = form.submit(async () => {
    setCreatedLink(
      await calls.make(
        items.map(({ id }) => id),
        requestOf(form.fields),
      ),
    );
    refreshLinks();
  });
  const revoked = () => {
    refreshLinks();
    onClose();
  };

  if (createdLink)
    return (
      <Dialog title={t.ready} size="md" isOpen onOpenChange={onClose} keepsTyped={unsent}>
        <CreatedLink link={createdLink} onUnsent={setUnsent} onDone={onClose} onRevoked={revoked} />
      </Dialog>
    );
  return (
    <Dialog
      title={single ? t.shareOne(single.name) : t.shareItems(items.length)}
      size="md"
      isOpen
      onOpenChange={onClose}
      keepsTyped
      // The address of the link is shown only here.
      isKeyboardDismissDisabled={form.busy}
      hasClose={!form.busy}
    >
      <form className="contents" noValidate onSubmit={(event) => void create(event)}>
        <DialogBody className="flex flex-col gap-4">
          {form.fault && <Alert>{form.fault}</Alert>}
          {settings?.enabled === false && <Alert>{t.sharingOff}</Alert>}
          {tooMany && <Alert>{t.tooManyItems(MAX_SHARED_ITEMS)}</Alert>}
          {single ? <LinksOfItem id={single.id} /> : <SharedAmong items={items} />}
          <LinkFields
            items={items}
            fields={form.fields}
            clientId={clientOfAll(items)}
            set={form.set}
            errors={form.errors}
            maxDays={settings?.max_days}
          />
          {items.some(({ type }) => type === 'folder') && (
            <p className="text-sm text-muted">{t.laterFilesIncluded}</p>
          )}
        </DialogBody>
        <DialogFooter>
          <Button isDisabled={form.busy} onPress={onClose}>
            {common.cancel}
          </Button>
          <Button
            type="submit"
            variant="primary"
            busy={form.busy}
            busyLabel={t.creating}
            isDisabled={settings?.enabled === false || tooMany}
          >
            {t.create}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
