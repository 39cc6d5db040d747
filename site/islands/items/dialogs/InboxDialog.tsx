import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/filing.ts';
import { Alert } from '../../../components/Alert.tsx';
import { Checkbox } from '../../../components/Checkbox.tsx';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { messageOf } from '../../../lib/apiError.ts';
import { notifyChanged } from '../../../lib/cache.ts';
import { filingCalls } from '../../../lib/filing.ts';
import { toast } from '../../../lib/toast.ts';
import { useForm } from '../../../lib/useForm.ts';

/** Settings of an inbox: whether the folder's documents are suggested for filing, or filed automatically. */
export function InboxDialog({ item, onClose }: { item: ItemView; onClose: () => void }) {
  const form = useForm<never>({});
  const [inbox, setInbox] = useState(true);
  /** The user's choice; null until they make one. */
  const [chosen, choose] = useState<boolean | null>(null);
  const { data, error, isSuccess, isFetchedAfterMount, isFetching, refetch } = useQuery({
    queryKey: ['filing', 'inboxes'],
    queryFn: ({ signal }) => filingCalls.inboxes(signal),
    staleTime: 0,
  });
  // Without the present setting, Save would switch automatic filing off unnoticed.
  const ready = isSuccess && isFetchedAfterMount;
  const byItself = chosen ?? data?.find(({ folder_id }) => folder_id === item.id)?.by_itself ?? false;

  async function save() {
    await filingCalls.setInbox(item.id, { inbox, by_itself: inbox && byItself });
    notifyChanged();
    toast.success(t.inboxSaved);
    onClose();
  }
  return (
    <FormDialog
      title={t.inboxTitle(item.name)}
      form={form}
      onSubmit={form.submit(save, t.inboxFailed)}
      onClose={onClose}
      action={t.save}
      submitDisabled={!ready}
    >
      {error && (
        <Alert onRetry={() => void refetch()} retrying={isFetching}>
          {messageOf(error, t.inboxNotLoaded)}
        </Alert>
      )}
      <Checkbox isSelected={inbox} onChange={setInbox} description={t.isInboxAbout}>
        {t.isInbox}
      </Checkbox>
      <Checkbox
        isSelected={inbox && byItself}
        isDisabled={!inbox}
        onChange={choose}
        description={t.fileAutomaticallyAbout}
      >
        {t.fileAutomatically}
      </Checkbox>
    </FormDialog>
  );
}
