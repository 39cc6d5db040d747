import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { AssignmentView } from '#server/access/contract.ts';
import type { PersonView } from '#server/team/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/team.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { focusQuietly } from '../../lib/quietFocus.ts';
import { calls } from './calls.ts';
import { chosenOf, withoutDeleted } from './clientChoice.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { ScopeFields } from './ScopeFields.tsx';
import { useAvailableClients } from './useAvailableClients.ts';
import { useSaving } from '../../lib/useSaving.ts';

export interface ClientsDialogProps {
  person: Pick<PersonView, 'id' | 'name' | 'role'>;
  onClose: () => void;
  onDone: (message: string) => void;
}

/** Sets which clients a person sees. */
export function ClientsDialog(props: ClientsDialogProps) {
  const { person, onClose } = props;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['assigned', person.id],
    queryFn: ({ signal }) => calls.clients(person.id, signal),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Dialog title={t.clientsOf(person.name)} size="md" isOpen onOpenChange={onClose}>
      {data ? (
        <Form {...props} now={data} />
      ) : (
        <DialogBody className="flex flex-col gap-4 pb-6">
          {error ? (
            <Alert onRetry={() => void refetch()} retrying={isFetching}>
              {messageOf(error, t.clientsFailed)}
            </Alert>
          ) : (
            <div aria-busy="true" role="status" aria-label={common.loading} className="flex flex-col gap-3">
              <Skeleton className="h-9" />
              <Skeleton className="h-52" />
            </div>
          )}
        </DialogBody>
      )}
    </Dialog>
  );
}

function Form({ person, now, onClose, onDone }: ClientsDialogProps & { now: AssignmentView }) {
  const [scope, setScope] = useState(now.client_scope);
  const [chosen, choose] = useState(() => chosenOf(now));
  const available = useAvailableClients();
  const { busy, fault, submit } = useSaving(t.failed);
  const form = useRef<HTMLFormElement>(null);
  // The dialog had no field to focus while this was loading.
  useEffect(() => {
    const first = form.current?.querySelector<HTMLElement>('button[aria-haspopup=listbox]');
    if (first) focusQuietly(first);
  }, []);

  const save = submit(async () => {
    try {
      await calls.assign(person.id, {
        client_scope: scope,
        client_ids: [...chosen.clients],
        groups: [...chosen.groups],
      });
    } catch (error) {
      // Some clients were deleted meanwhile: remove them, so that the rest can be saved.
      if (error instanceof ApiError && error.status === 422) {
        const { data } = await available.refetch();
        if (data) choose(withoutDeleted(chosen, data));
      }
      throw error;
    }
    onDone(t.clientsSaved(person.name));
  });

  return (
    <form ref={form} className="contents" noValidate onSubmit={(event) => void save(event)}>
      <DialogBody className="flex flex-col gap-4">
        <ErrorAlert error={fault} />
        <ScopeFields role={person.role} scope={scope} chosen={chosen} onScope={setScope} onChoose={choose} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={onClose}>{common.cancel}</Button>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          busyLabel={common.saving}
          isDisabled={person.role === 'admin'}
        >
          {common.save}
        </Button>
      </DialogFooter>
    </form>
  );
}
