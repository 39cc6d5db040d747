import { useEffect, useState } from 'react';
import { RotateCw } from 'lucide-react';
import type { SystemView } from '#server/system/contract.ts';
import * as t from '#messages/system.ts';
import { Alert } from '../../components/Alert.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { Screen } from '../../components/Screen.tsx';
import { api } from '../../lib/api.ts';
import { formatCount, formatDateTime } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { useSaving } from '../../lib/useSaving.ts';
import { BackupsCard, CertificateCard, DiskCard, KeyCard, ProgramCard } from './Figures.tsx';
import { JobsCard } from './Jobs.tsx';

type Email = SystemView['mail']['undelivered'][number];

function EmailRow({ email, onSent }: { email: Email; onSent: (now: SystemView) => void }) {
  const { busy, fault, submit } = useSaving(t.failed);
  const send = submit(async () => {
    onSent(await api.post<SystemView>(`/api/system/emails/${email.id}/send-again`, {}));
    toast.success(t.willResend);
  });
  const to = email.to ?? t.unknownRecipient;
  return (
    <li className="flex items-start gap-3 border-b border-line py-2.5 last:border-b-0 max-sm:flex-col">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <span className="font-medium break-all">{to}</span>
          <Badge tone={email.waiting ? 'neutral' : 'warning'}>
            {email.waiting ? t.stillRetrying : t.givenUp}
          </Badge>
        </p>
        <p className="text-sm break-words">{email.reason}</p>
        <p className="text-sm break-words text-muted">
          {[email.firm, email.kind, t.tries(email.attempts), formatDateTime(email.created_at)]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {!email.can_send && <p className="text-sm text-muted">{t.cannotResend}</p>}
        <ErrorAlert error={fault} />
      </div>
      {email.can_send && (
        <Button size="sm" busy={busy} aria-label={t.sendAgainTo(to)} onPress={() => void send()}>
          {t.sendAgain}
        </Button>
      )}
    </li>
  );
}

/** What should be done although nothing raises an alarm; null when all is well. */
function adviceOf({ backups, key, mail }: SystemView): string | null {
  if (!backups) return t.noBackupsYet;
  if (backups.wrong) return t.noBackupNow;
  if (mail.undelivered.some(({ waiting }) => !waiting)) return t.mailGivenUp;
  return key?.well === false ? t.keyNeedsMoving : null;
}

/** The polling interval while an e-mail is tried for the first time, or again. */
const POLL_MS = 3000;

function SystemIsland({ first }: { first: SystemView }) {
  const [view, setView] = useState(first);
  const isSending = view.mail.undelivered.some(({ waiting, attempts }) => waiting && attempts <= 1);
  useEffect(() => {
    if (!isSending) return;
    const timer = setInterval(() => void api.get<SystemView>('/api/system').then(setView, () => {}), POLL_MS);
    return () => clearInterval(timer);
  }, [isSending]);
  const { busy, fault, submit } = useSaving(t.failed);
  const refresh = submit(async () => setView(await api.get<SystemView>('/api/system')));
  const { undelivered, means, sends } = view.mail;
  const advice = adviceOf(view);
  return (
    <Screen
      page
      title={t.system}
      bar={
        <Button
          icon={<RotateCw aria-hidden size={16} />}
          busy={busy}
          busyLabel={t.refresh}
          onPress={() => void refresh()}
        >
          {t.refresh}
        </Button>
      }
    >
      <p className="pb-3 text-muted">{t.about}</p>
      <div className="flex flex-col gap-3 pb-6">
        <ErrorAlert error={fault} />
        {view.alarms.length === 0 ? (
          <Alert tone={advice ? 'warning' : 'success'}>{advice ?? t.allWell}</Alert>
        ) : (
          view.alarms.map(({ cause, title, about }) => (
            <Alert key={cause} tone="warning" title={title}>
              {about}
            </Alert>
          ))
        )}
        <div className="grid gap-3 lg:grid-cols-2">
          <DiskCard disk={view.disk} />
          <BackupsCard backups={view.backups} />
          <CertificateCard certificate={view.certificate} />
          <ProgramCard app={view.app} update={view.update} />
          <KeyCard view={view.key} />
        </div>
        <Card title={t.mail} aside={undelivered.length > 0 && formatCount(undelivered.length)}>
          <p className="text-muted">{sends && undelivered.length === 0 ? t.noFailedMail : means}</p>
          <ul>
            {undelivered.map((email) => (
              <EmailRow key={email.id} email={email} onSent={setView} />
            ))}
          </ul>
        </Card>
        <JobsCard jobs={view.jobs} />
      </div>
    </Screen>
  );
}

/** The state of the installation, for its operators. */
export const System = withErrorBoundary(SystemIsland);
