import { useState } from 'react';
import type { RequestView } from '#server/requests/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/requests.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { confirmDiscard } from '../../lib/confirm.ts';
import { isoDateInIndia } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { useSaving } from '../../lib/useSaving.ts';
import { calls } from './calls.ts';
import type { EditFields } from './edits.ts';
import { changeOf, fieldsOf, isEdited } from './edits.ts';
import { Fields, FIELDS_WITH_ERRORS } from './Fields.tsx';
import { useErrorFocus } from './useErrorFocus.ts';

/** Edits a request. Files that were received for a document stay with it. */
export function EditDialog({
  request,
  onClose,
  onSaved,
}: {
  request: RequestView;
  onClose: () => void;
  onSaved: (request: RequestView) => void;
}) {
  /** The live request follows colleagues' changes. */
  const [opened] = useState(request);
  const [start] = useState(() => fieldsOf(opened));
  const [fields, setFields] = useState(start);
  const [today] = useState(() => isoDateInIndia(Date.now()));
  const { busy, fault, submit, edited } = useSaving(t.failed);
  const form = useErrorFocus(busy, fault?.errors);
  const save = submit(async () => {
    const latest = await calls.one(opened.id);
    onSaved(await calls.change(opened.id, changeOf(opened, latest, fields)));
    toast.success(t.saved);
    onClose();
  });
  const set = (part: Partial<EditFields>) => {
    setFields((old) => ({ ...old, ...part }));
    edited(...Object.keys(part));
  };

  const isUnsaved = isEdited(start, fields);
  async function leave(): Promise<void> {
    if (busy) return;
    if (!isUnsaved || (await confirmDiscard(common.notSaved))) onClose();
  }

  return (
    <Dialog title={start.title} size="md" isOpen onOpenChange={() => void leave()} isUnsaved={isUnsaved}>
      <form ref={form} className="contents" noValidate onSubmit={(event) => void save(event)}>
        <DialogBody className="flex flex-col gap-4">
          {fault && !FIELDS_WITH_ERRORS.some((field) => fault.errors[field]) && <Alert>{fault.text}</Alert>}
          <Fields fields={fields} set={set} errors={fault?.errors} today={today} />
          <TextField label={t.email} type="email" value={fields.email} onChange={(email) => set({ email })} />
        </DialogBody>
        <DialogFooter>
          <Button onPress={() => void leave()}>{common.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy} busyLabel={common.saving}>
            {t.save}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
