import { useState } from 'react';
import { FolderSync } from 'lucide-react';
import type { ProgramView } from '#server/auth/paired-programs/contract.ts';
import * as t from '#messages/desktop.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { confirm } from '../../lib/confirm.ts';
import { formatDate, formatMoment, relativeTime } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';

export interface ProgramsProps {
  programs: ProgramView[];
  appName: string;
  /** Milliseconds; the server's, so that both paint the same. */
  now: number;
}

/** Programs that upload for the person, below the browsers in which the person is signed in. */
export function Programs({ programs: initial, appName, now }: ProgramsProps) {
  const [programs, setPrograms] = useState(initial);
  const [busy, setBusy] = useState<number | null>(null);
  const [alert, setAlert] = useState<string>();

  async function disconnect({ id, name }: ProgramView): Promise<void> {
    const sure = await confirm({
      title: t.disconnectQuestion(name),
      body: t.disconnectAbout,
      action: t.disconnect,
      danger: true,
    });
    if (!sure) return;
    setBusy(id);
    setAlert(undefined);
    try {
      await api.delete(`/api/desktop/devices/${id}`);
      setPrograms((old) => old.filter((one) => one.id !== id));
      toast.success(t.disconnected);
    } catch (error) {
      setAlert(messageOf(error, t.disconnectFailed));
    }
    setBusy(null);
  }

  if (programs.length === 0 && !alert) return null;
  return (
    <div className="mt-4 flex flex-col items-start gap-4">
      {alert && <Alert>{alert}</Alert>}
      <ul className="w-full divide-y divide-line rounded-md border border-line">
        {programs.map((one) => (
          <li key={one.id} className="flex items-center gap-3.5 px-3.5 py-3">
            <FolderSync aria-hidden size={18} className="shrink-0 text-muted" />
            <div className="min-w-0 flex-1">
              <p className="font-medium break-words">{t.programName(appName, one.name)}</p>
              <p className="text-sm text-pretty text-muted" title={formatMoment(one.last_used_at)}>
                {t.programUsed(
                  one.version,
                  one.place,
                  relativeTime(one.last_used_at, now),
                  formatDate(one.connected_at),
                )}
              </p>
            </div>
            <Button
              size="sm"
              busy={busy === one.id}
              isDisabled={busy !== null && busy !== one.id}
              aria-label={t.disconnectOne(one.name)}
              onPress={() => void disconnect(one)}
            >
              {t.disconnect}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
