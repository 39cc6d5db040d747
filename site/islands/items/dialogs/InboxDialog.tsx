import { useEffect, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/filing.ts';
import { Checkbox } from '../../../components/Checkbox.tsx';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { notifyChanged } from '../../../lib/cache.ts';
import { filingCalls } from '../../../lib/filing.ts';
import { toast } from '../../../lib/toast.ts';
import { useForm } from '../../../lib/useForm.ts';

/** Settings of an inbox: whether the folder's documents are suggested for filing, or filed automatically. */
export function InboxDialog({ item, onClose }: { item: ItemView; onClose: () => void }) {
  const form = useForm<never>({});
  const [inbox, setInbox] = useState(true);
  const [byItself, setByItself] = useState(false);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      const all = await filingCalls.inboxes(controller.signal).catch(() => []);
      if (controller.signal.aborted) return;
      setByItself(all.find(({ folder_id }) => folder_id === item.id)?.by_itself ?? false);
      setReady(true);
    };
    void load();
    return () => controller.abort();
  }, [item.id]);

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
      <Checkbox isSelected={inbox} onChange={setInbox} description={t.isInboxAbout}>
        {t.isInbox}
      </Checkbox>
      <Checkbox
        isSelected={inbox && byItself}
        isDisabled={!inbox}
        onChange={setByItself}
        description={t.fileAutomaticallyAbout}
      >
        {t.fileAutomatically}
      </Checkbox>
    </FormDialog>
  );
}
