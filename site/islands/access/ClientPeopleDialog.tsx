import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClientPerson } from '#server/access/contract.ts';
import * as t from '#messages/access.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Avatar } from '../../components/Avatar.tsx';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { refresh } from '../../lib/cache.ts';
import { toast } from '../../lib/toast.ts';
import { useForm } from '../../lib/useForm.ts';
import { calls, peopleKey } from './calls.ts';
import { LoadingPeople } from './LoadingPeople.tsx';

/** With more people than this the dialog has a search field. */
const SEARCH_ABOVE = 8;

export interface ClientPeopleDialogProps {
  client: { id: number; name: string };
  onClose: () => void;
}

/** Why a user sees the client without being chosen; null for a user who can be chosen. */
const accessReason = ({ role, client_scope, group }: ClientPerson): string | null => {
  if (role === 'admin') return t.asAdmin;
  if (client_scope === 'all') return t.asAll;
  return group === null ? null : t.byGroup(group);
};

/** Assigns users with access to assigned clients only to a client. For users who manage the team. */
export default function ClientPeopleDialog({ client, onClose }: ClientPeopleDialogProps) {
  const cache = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: peopleKey(client.id),
    queryFn: ({ signal }) => calls.people(client.id, signal),
    staleTime: 0,
  });
  /** Only the changes made here, so that another admin's concurrent changes are kept. */
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [text, setText] = useState('');
  const form = useForm({});

  const isOn = (person: ClientPerson) => toggled.get(person.id) ?? person.assigned;
  const words = text.trim().toLowerCase();
  const shown = (data ?? []).filter(({ name }) => name.toLowerCase().includes(words));
  const choosable = data?.some((person) => person.client_scope === 'assigned');

  async function save() {
    const now = await calls.people(client.id);
    await calls.setPeople(
      client.id,
      now.filter(isOn).map(({ id }) => id),
    );
    toast.success(t.saved(client.name));
    void refresh(cache);
    onClose();
  }

  return (
    <Dialog title={t.whoWorksOn(client.name)} isOpen onOpenChange={onClose}>
      <form className="contents" noValidate onSubmit={form.submit(save, t.saveFailed)}>
        <DialogBody className="flex flex-col gap-3">
          {form.banner && <Alert>{form.banner}</Alert>}
          {error && (
            <Alert onRetry={() => void refetch()} retrying={isFetching}>
              {messageOf(error, t.accessFailed)}
            </Alert>
          )}
          <p className="text-muted">{choosable === false ? t.allSeeAll : t.whoWorksAbout}</p>
          {!data && !error && <LoadingPeople />}
          {data && data.length > SEARCH_ABOVE && (
            <SearchField label={t.findPerson} placeholder={t.findPerson} value={text} onChange={setText} />
          )}
          {data && (
            <ul aria-label={t.people} className="divide-y divide-line">
              {shown.map((person) => {
                const why = accessReason(person);
                return (
                  <li key={person.id} className="flex min-h-11 items-center gap-3 py-1.5">
                    <Avatar initials={person.initials} />
                    <Checkbox
                      className="min-w-0 flex-1"
                      isSelected={why !== null || isOn(person)}
                      isDisabled={why !== null}
                      onChange={(on) => setToggled(new Map(toggled).set(person.id, on))}
                      {...(why !== null && { description: why })}
                    >
                      {person.name}
                    </Checkbox>
                  </li>
                );
              })}
              {shown.length === 0 && (
                <li className="py-6 text-center text-muted">{t.noPerson(text.trim())}</li>
              )}
            </ul>
          )}
          {choosable === false && (
            <p className="text-sm text-muted">
              {t.limitOnTeam}{' '}
              <a href="/team" className="link">
                {t.goToTeam}
              </a>
            </p>
          )}
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>{choosable === false ? common.close : common.cancel}</Button>
          {choosable !== false && (
            <Button type="submit" variant="primary" busy={form.busy} isDisabled={!data}>
              {common.save}
            </Button>
          )}
        </DialogFooter>
      </form>
    </Dialog>
  );
}
