import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as t from '#messages/access.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { may } from '../../lib/permissions.ts';
import type { Subject } from './calls.ts';
import { accessKey, calls } from './calls.ts';
import ClientPeopleDialog from './ClientPeopleDialog.tsx';
import { LoadingPeople } from './LoadingPeople.tsx';
import { PersonLine } from './PersonLine.tsx';

export interface AccessDialogProps {
  of: Subject;
  /** The client whose people can be chosen from here; undefined if the client is the subject itself, or there is none. */
  client?: { id: number; name: string } | null;
  onClose: () => void;
}

/** Lists everybody who can see an item or a client, each with the reason. */
export default function AccessDialog({
  of,
  client = of.kind === 'client' ? of : null,
  onClose,
}: AccessDialogProps) {
  const [choosing, choose] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: accessKey(of),
    queryFn: ({ signal }) => calls.access(of, signal),
    // Never cached: users open this dialog to be certain.
    staleTime: 0,
  });
  return (
    <Dialog title={t.accessTo(of.name)} isOpen onOpenChange={onClose} isDismissable>
      <DialogBody>
        {error && (
          <Alert onRetry={() => void refetch()} retrying={isFetching}>
            {messageOf(error, t.accessFailed)}
          </Alert>
        )}
        {!data && !error && <LoadingPeople />}
        {data && (
          <ul aria-label={t.people} className="divide-y divide-line">
            {data.map((person) => (
              <li key={person.id} className="flex min-h-11 py-1.5">
                <PersonLine person={person} />
              </li>
            ))}
          </ul>
        )}
      </DialogBody>
      <DialogFooter>
        {client && may('team.manage') && (
          <Button className="mr-auto" onPress={() => choose(true)}>
            {t.choosePeople}
          </Button>
        )}
        <Button variant="primary" onPress={onClose}>
          {common.close}
        </Button>
      </DialogFooter>
      {choosing && client && <ClientPeopleDialog client={client} onClose={() => choose(false)} />}
    </Dialog>
  );
}
