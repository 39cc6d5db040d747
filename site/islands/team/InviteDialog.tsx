import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ClientScope, Role } from '#server/permissions.ts';
import type { Seats } from '#server/team/contract.ts';
import { ROLE_NAMES, ROLE_TEXTS, seatsFullText } from '#server/team/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/team.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { NoEmailAlert } from '../../components/NoEmailAlert.tsx';
import { Select } from '../../components/Select.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { calls } from './calls.ts';
import type { InvitationLink } from './InvitationLinks.tsx';
import { NOTHING } from './clientChoice.ts';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { ScopeFields } from './ScopeFields.tsx';
import { sendsEmail } from '../../lib/sendsEmail.ts';
import { useSaving } from '../../lib/useSaving.ts';

export const ROLE_OPTIONS = (Object.keys(ROLE_NAMES) as Role[]).map((id) => ({ id, label: ROLE_NAMES[id] }));

export interface InviteDialogProps {
  seats: Seats;
  onClose: () => void;
  onDone: (message: string) => void;
  /** Called instead of `onDone` when the server sends no e-mail. */
  onLinks: (links: InvitationLink[]) => void;
}

export function InviteDialog({ seats, onClose, onDone, onLinks }: InviteDialogProps) {
  const sends = sendsEmail();
  const [emails, setEmails] = useState('');
  const [role, setRole] = useState<Role>('staff');
  const [scope, setScope] = useState<ClientScope>('all');
  const [clients, setClients] = useState(NOTHING);
  const { busy, fault, submit, edited } = useSaving(t.failed);
  const wrong = fault && fault.code !== 'user_limit' ? fault.errors['emails']?.join(' ') : undefined;
  const form = useRef<HTMLFormElement>(null);
  const focusWrong = useEffectEvent(() => {
    if (wrong) form.current?.querySelector('textarea')?.focus();
  });
  useEffect(() => {
    if (!busy) focusWrong();
  }, [busy]);

  const send = submit(async () => {
    const invited = await calls.invite({
      emails,
      role,
      client_scope: role === 'admin' ? 'all' : scope,
      client_ids: [...clients.clients],
      groups: [...clients.groups],
    });
    const links = invited.flatMap(({ email, link }) => (link ? [{ email, link }] : []));
    if (links.length > 0) onLinks(links);
    else onDone(t.sent(invited.length));
  });

  return (
    <Dialog title={t.invite} size="md" isOpen onOpenChange={onClose} keepsTyped>
      <form ref={form} className="contents" noValidate onSubmit={(event) => void send(event)}>
        <DialogBody className="flex flex-col gap-4">
          <NoEmailAlert />
          {seats.people + seats.invited >= seats.allowed && !fault && (
            <Alert tone="warning">
              {seatsFullText(seats)}{' '}
              <a href="/subscription-plans" className="link">
                {t.seePlans}
              </a>
            </Alert>
          )}
          <ErrorAlert error={wrong ? undefined : fault} />
          <TextArea
            label={t.addresses}
            description={t.addressesHint}
            name="emails"
            rows={3}
            autoFocus
            value={emails}
            error={wrong}
            onChange={(next) => {
              setEmails(next);
              edited('emails');
            }}
          />
          <Select
            label={t.role}
            description={ROLE_TEXTS[role]}
            options={ROLE_OPTIONS}
            value={role}
            onChange={(key) => setRole(key as Role)}
          />
          <ScopeFields role={role} scope={scope} chosen={clients} onScope={setScope} onChoose={setClients} />
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy} busyLabel={sends ? t.sending : t.creatingLinks}>
            {sends ? t.sendInvitations : t.createLinks}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
