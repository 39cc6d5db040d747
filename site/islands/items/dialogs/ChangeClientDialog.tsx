import { useEffect, useState } from 'react';
import type { ItemView, LinkPreview } from '#server/documents/contract.ts';
import { Alert } from '../../../components/Alert.tsx';
import { Checkbox } from '../../../components/Checkbox.tsx';
import { FormDialog } from '../../../components/FormDialog.tsx';
import * as t from '#messages/items.ts';
import * as d from '#messages/itemDialogs.ts';
import * as common from '#messages/common.ts';
import { documentCalls } from '../../../lib/documentCalls.ts';
import { useItemScreen } from '../ItemListModel.ts';
import { ClientField } from './ClientField.tsx';
import { useForm } from '../../../lib/useForm.ts';
import { useRemovalNotice } from './useRemovalNotice.ts';

export interface ChangeClientDialogProps {
  /** At least one. */
  items: readonly ItemView[];
  onClose: () => void;
}

export function ChangeClientDialog({ items, onClose }: ChangeClientDialogProps) {
  const { actions } = useItemScreen();
  const [first] = items;
  const removed = useRemovalNotice(items.length === 1 ? first : undefined);
  const haveSameClient = items.every(({ client_id }) => client_id === first?.client_id);
  /** Undefined: not chosen yet. Items of several clients would all lose theirs by Enter in an empty field. */
  const [client, setClient] = useState(haveSameClient && first ? first.client : undefined);
  const form = useForm({});
  const { form: element } = form;
  const [others, setOthers] = useState(false);
  const preview = usePreview(items, client && client.id);
  useEffect(() => {
    const input = element.current?.querySelector('input');
    input?.focus();
    input?.select();
  }, [element]);

  async function change() {
    if (client === undefined) return;
    if (await actions.file(items, client, others ? 'all' : 'unlinked')) onClose();
  }

  return (
    <FormDialog
      title={items.length === 1 ? d.linkOneTitle(first?.name ?? '') : d.linkTitle(items.length)}
      form={form}
      onSubmit={form.submit(change, t.changeClientFailed)}
      onClose={onClose}
      action={common.save}
      submitDisabled={removed !== null || client === undefined}
    >
      {/* On a phone the dialog is at the bottom: the list of clients opens below its field, over nothing that is read. */}
      <div className="flex flex-col gap-4 max-sm:min-h-100">
        {removed && <Alert tone="warning">{removed}</Alert>}
        <p className="text-muted wrap-anywhere">{presentClient(items)}</p>
        <ClientField
          value={client ?? null}
          onChange={setClient}
          {...(client === undefined && { placeholder: d.chooseClient })}
          {...(items.some(({ type }) => type === 'folder') && {
            description: d.folderClientHint,
          })}
        />
        {preview && (preview.more || preview.along + preview.others > 0) && (
          <ContentsPreview
            preview={preview}
            linking={client !== null}
            others={others}
            setOthers={setOthers}
          />
        )}
      </div>
    </FormDialog>
  );
}

function presentClient(items: readonly ItemView[]): string {
  const names = new Map(items.map(({ client_id, client_name }) => [client_id, client_name]));
  if (names.size <= 3) return d.nowOf([...names.values()].map((name) => name ?? common.noClient));
  return d.nowOfSeveral(names.size - Number(names.has(null)), names.has(null));
}

/** The effect on the contents of the folders among the items; null without folders, and until it is loaded. */
function usePreview(items: readonly ItemView[], clientId: number | null | undefined): LinkPreview | null {
  const [known, setKnown] = useState<{ clientId: number | null; preview: LinkPreview } | null>(null);
  useEffect(() => {
    const folders = items.filter(({ type }) => type === 'folder').map(({ id }) => id);
    if (folders.length === 0 || clientId === undefined) return undefined;
    const control = new AbortController();
    documentCalls
      .previewClient(folders, clientId, control.signal)
      .then((preview) => setKnown({ clientId, preview }))
      // Linking reports the error.
      .catch(() => {});
    return () => control.abort();
  }, [items, clientId]);
  return known && known.clientId === clientId ? known.preview : null;
}

interface ContentsPreviewProps {
  preview: LinkPreview;
  /** False: unlinking. */
  linking: boolean;
  others: boolean;
  setOthers: (on: boolean) => void;
}

function ContentsPreview({
  preview: { along, others: theirs, more },
  linking,
  others,
  setOthers,
}: ContentsPreviewProps) {
  const words = linking ? d.linking : d.unlinking;
  if (more)
    return (
      <div className="flex flex-col gap-2" role="status">
        <p>
          {words.many} {!others && d.othersStay}
        </p>
        <Checkbox isSelected={others} onChange={setOthers}>
          {words.others}
        </Checkbox>
      </div>
    );
  return (
    <div className="flex flex-col gap-2" role="status">
      <p>
        {along > 0 && `${words.inside(along)} `}
        {theirs > 0 && !others && d.insideOfOthers(theirs)}
      </p>
      {theirs > 0 && (
        <Checkbox isSelected={others} onChange={setOthers}>
          {words.theirs(theirs)}
        </Checkbox>
      )}
    </div>
  );
}
