import { useState } from 'react';
import { Download } from 'lucide-react';
import type { ExportKind } from '#server/exports/contract.ts';
import * as t from '#messages/settings.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { downloadFrom } from '../../lib/download.ts';
import { linkIn } from '../../lib/downloadLink.ts';
import { toast } from '../../lib/toast.ts';

export function Exports() {
  const [busy, setBusy] = useState<ExportKind | null>(null);
  const [alert, setAlert] = useState<string>();

  async function start(kind: ExportKind): Promise<void> {
    setBusy(kind);
    setAlert(undefined);
    try {
      downloadFrom(linkIn(await api.post('/api/export', { what: kind })));
      toast.success(t.downloadBegun, { description: t.downloadBegunAbout });
    } catch (error) {
      setAlert(messageOf(error, t.exportFailed));
    }
    setBusy(null);
  }

  return (
    <div className="flex flex-col items-start gap-4">
      {alert && <Alert>{alert}</Alert>}
      <div className="flex flex-wrap gap-2">
        <Button
          icon={<Download aria-hidden size={15} />}
          busy={busy === 'everything'}
          onPress={() => void start('everything')}
        >
          {t.exportEverything}
        </Button>
        <Button busy={busy === 'history'} onPress={() => void start('history')}>
          {t.exportHistory}
        </Button>
      </div>
    </div>
  );
}
