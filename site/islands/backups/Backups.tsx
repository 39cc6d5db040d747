import { useEffect, useState } from 'react';
import { DatabaseBackup } from 'lucide-react';
import type { BackupsView } from '#server/backups/contract.ts';
import * as t from '#messages/backups.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Card, Fact } from '../../components/Card.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { Screen } from '../../components/Screen.tsx';
import { api } from '../../lib/api.ts';
import { formatDateTime } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { Runs } from './Runs.tsx';
import { SheetDialog } from './SheetDialog.tsx';

/** The polling interval while a backup runs. */
const POLL_MS = 2000;

function Plan({ view }: { view: BackupsView }) {
  const { settings, next_at, backups } = view;
  if (!settings)
    return (
      <Card title={t.none}>
        <p className="text-muted">{t.noneAbout}</p>
      </Card>
    );
  const good = backups.find(({ status }) => status === 'done' || status === 'faulty');
  return (
    <Card title={t.plan}>
      <dl>
        <Fact term={t.last}>{good ? formatDateTime(good.started_at) : t.never}</Fact>
        <Fact term={t.next}>{next_at && formatDateTime(next_at)}</Fact>
        <Fact term={t.place}>
          <span className="break-all">{settings.place}</span>
        </Fact>
        <Fact term={t.time}>{t.atTime(settings.at)}</Fact>
        <Fact term={t.kept}>{t.keptAbout(settings.keep)}</Fact>
      </dl>
      {settings.problem && (
        <Alert tone="warning" className="mt-3">
          {settings.problem}
        </Alert>
      )}
      {settings.same_disk && (
        <Alert tone="warning" className="mt-3">
          {t.sameDisk}
        </Alert>
      )}
    </Card>
  );
}

function RestoreGuide({ place }: { place: string }) {
  const commands = t.commands(place);
  return (
    <Card title={t.restore} className="lg:col-span-2">
      <p className="text-pretty text-muted">{t.restoreAbout}</p>
      <ol className="mt-3 flex list-decimal flex-col gap-2 pl-5">
        {t.restoreSteps.map((step, index) => (
          <li key={step}>
            {step}
            {commands[index] && (
              <code className="mt-1 block overflow-x-auto rounded-sm bg-sunken px-2.5 py-1.5 font-mono text-sm whitespace-pre-wrap break-words">
                {commands[index]}
              </code>
            )}
          </li>
        ))}
      </ol>
      <p className="mt-3 text-pretty text-muted">{t.oneFile}</p>
    </Card>
  );
}

function BackupsIsland({ first, saving = false }: { first: BackupsView; saving?: boolean }) {
  const [view, setView] = useState(first);
  const [sheetOpen, setSheetOpen] = useState(saving);
  const { alarm, settings, backups, proofs, trials, sheet } = view;
  const isRunning = [...backups, ...proofs, ...trials].some(({ status }) => status === 'running');

  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(
      () => void api.get<BackupsView>('/api/backups').then(setView, () => {}),
      POLL_MS,
    );
    return () => clearInterval(timer);
  }, [isRunning]);

  async function run(): Promise<void> {
    try {
      const now = await api.post<BackupsView>('/api/backups/run', {});
      setView(now);
      const [newest] = now.backups;
      if (newest?.status === 'failed') toast.error(newest.message);
      else toast.success(t.started);
    } catch (error) {
      toast.error(error instanceof Error && error.message ? error.message : t.failed);
    }
  }

  const proofRuns = [...proofs, ...trials].toSorted((a, b) => b.started_at.localeCompare(a.started_at));
  return (
    <>
      <Screen
        page
        title={t.backups}
        bar={
          settings && (
            <Button
              variant="primary"
              icon={<DatabaseBackup aria-hidden size={16} />}
              busy={isRunning}
              onPress={() => void run()}
            >
              {t.runNow}
            </Button>
          )
        }
      >
        {alarm && (
          <Alert className="mt-2" title={t.alarms[alarm.code]}>
            {alarm.message}
          </Alert>
        )}
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 pt-3 pb-6 lg:grid-cols-2">
          <Plan view={view} />
          <Card
            title={t.sheet}
            aside={
              <Button variant={sheet ? 'secondary' : 'primary'} onPress={() => setSheetOpen(true)}>
                {sheet ? t.saveSheetAgain : t.saveSheet}
              </Button>
            }
          >
            <p className="text-pretty text-muted">{t.sheetAbout}</p>
            <p className="mt-3 font-medium">
              {sheet ? t.sheetSaved(formatDateTime(sheet.saved_at), sheet.by) : t.sheetNever}
            </p>
          </Card>
          {settings && (
            <Card title={t.made}>
              {backups.length > 0 ? (
                <Runs label={t.made} runs={backups} />
              ) : (
                <p className="text-muted">{t.noneMade}</p>
              )}
            </Card>
          )}
          {settings && (
            <Card title={t.proofs}>
              <p className="mb-3 text-pretty text-muted">{t.proofsAbout}</p>
              {proofRuns.length > 0 ? (
                <Runs label={t.proofs} runs={proofRuns} />
              ) : (
                <p className="text-muted">{t.noProofs}</p>
              )}
            </Card>
          )}
          {settings && <RestoreGuide place={settings.place} />}
        </div>
      </Screen>
      {sheetOpen && (
        <SheetDialog
          onClose={() => setSheetOpen(false)}
          onSaved={(now) => {
            setView(now);
            // The notice is server-rendered and would stay until the next page load.
            if (!now.alarm) document.getElementById('backup-notice')?.remove();
          }}
        />
      )}
    </>
  );
}

/** The backups of the server: the last runs and proofs, the recovery sheet and how to restore. */
export const Backups = withErrorBoundary(BackupsIsland);
