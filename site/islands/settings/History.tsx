import { useState } from 'react';
import type { AuditPage } from '#server/audit/contract.ts';
import * as t from '#messages/settings.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { formatMoment } from '../../lib/format.ts';

export function History({ first }: { first: AuditPage }) {
  const [page, setPage] = useState(first);
  const [busy, setBusy] = useState(false);
  const [alert, setAlert] = useState<string>();

  async function older(): Promise<void> {
    setBusy(true);
    setAlert(undefined);
    try {
      const query = { before: page.next, limit: 50 };
      const more = await api.get<AuditPage>('/api/audit', { query });
      setPage({ ...more, data: [...page.data, ...more.data] });
    } catch (error) {
      setAlert(messageOf(error, t.historyFailed));
    }
    setBusy(false);
  }

  return (
    <div className="flex flex-col items-start gap-4">
      <ol className="w-full divide-y divide-line rounded-md border border-line">
        {page.data.map((event) => (
          <li key={event.id} className="px-3.5 py-2.5">
            <p className="break-words">
              <span className="font-medium">{event.what}</span>
              {event.about && <span className="text-muted"> · {event.about}</span>}
            </p>
            <p className="flex items-baseline justify-between gap-4 text-sm text-muted">
              <span className="min-w-0 break-words">{[event.who, event.ip].filter(Boolean).join(' · ')}</span>
              <time dateTime={event.at} className="shrink-0 tabular">
                {formatMoment(event.at)}
              </time>
            </p>
          </li>
        ))}
      </ol>
      {alert && <Alert onRetry={() => void older()}>{alert}</Alert>}
      {page.next !== null && (
        <Button busy={busy} onPress={() => void older()}>
          {t.showOlder}
        </Button>
      )}
    </div>
  );
}
