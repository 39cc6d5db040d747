import type { SystemView } from '#server/system/contract.ts';
import { LOW_DISK_SHARE } from '#server/system/contract.ts';
import * as t from '#messages/system.ts';
import { Alert } from '../../components/Alert.tsx';
import { Card, Fact } from '../../components/Card.tsx';
import { ProgressBar } from '../../components/ProgressBar.tsx';
import { formatBytes, formatDate, formatDateTime } from '../../lib/format.ts';

export function DiskCard({ disk }: Pick<SystemView, 'disk'>) {
  if (!disk) return <Card title={t.disk}>{t.diskUnknown}</Card>;
  const { free, size, free_in_90_days, full_on } = disk;
  const used = Math.round((1 - free / size) * 100);
  const soon = full_on
    ? t.diskFullOn(formatDate(full_on))
    : free_in_90_days === null
      ? t.diskSoonUnknown
      : t.diskSoonFree(formatBytes(free_in_90_days));
  return (
    <Card title={t.disk}>
      <ProgressBar
        value={used}
        label={t.disk}
        valueLabel={t.diskUsed(used)}
        size="md"
        tone={free < size * LOW_DISK_SHARE ? 'danger' : full_on ? 'warning' : 'accent'}
        className="mb-2"
      />
      <dl>
        <Fact term={t.diskUsed(used)}>{t.diskFree(formatBytes(free), formatBytes(size))}</Fact>
        <Fact term={t.diskSoon}>{soon}</Fact>
      </dl>
    </Card>
  );
}

export function KeyCard({ view }: { view: SystemView['key'] }) {
  return (
    <Card title={t.masterKey} className="lg:col-span-2">
      {view === null ? (
        t.keyUnknown
      ) : view.well ? (
        <p>{view.about}</p>
      ) : (
        <Alert tone="warning">{view.about}</Alert>
      )}
    </Card>
  );
}

export function BackupsCard({ backups }: Pick<SystemView, 'backups'>) {
  return (
    <Card
      title={t.backups}
      aside={
        <a href="/backups" className="link">
          {t.openBackups}
        </a>
      }
    >
      {backups === null ? (
        <p className="text-muted">{t.noBackups}</p>
      ) : (
        <>
          {backups.wrong && (
            <Alert tone="warning" className="mb-3">
              {backups.wrong}
            </Alert>
          )}
          <dl>
            <Fact term={t.lastBackup}>
              {backups.last_at ? formatDateTime(backups.last_at) : t.noBackupYet}
            </Fact>
          </dl>
          <ul className="mt-1 text-sm text-muted">
            {backups.lines.map((line) => (
              <li key={line} className="py-0.5">
                {line}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

export function CertificateCard({ certificate }: Pick<SystemView, 'certificate'>) {
  return (
    <Card title={t.certificate}>
      {certificate === null ? (
        <p className="text-muted">{t.noCertificate}</p>
      ) : (
        <>
          <p className="text-muted">{t.kinds[certificate.kind]}</p>
          <dl className="mt-1">
            <Fact term={t.validUntil}>{formatDate(certificate.valid_until)}</Fact>
            <Fact term={t.certificateNames}>
              <span className="break-words">{certificate.names.join(', ')}</span>
            </Fact>
          </dl>
          {certificate.fingerprint && (
            <p className="mt-1 text-sm text-muted">
              {t.fingerprint}
              <code className="tabular mt-0.5 block break-all text-text">{certificate.fingerprint}</code>
            </p>
          )}
          {certificate.problem && (
            <Alert tone="warning" className="mt-2">
              {certificate.problem}
            </Alert>
          )}
          {certificate.kind === 'local' && (
            <a href="/trust" className="link mt-2 inline-block" data-astro-reload>
              {t.trustLink}
            </a>
          )}
        </>
      )}
    </Card>
  );
}

export const ProgramCard = ({ app, update }: Pick<SystemView, 'app' | 'update'>) => (
  <Card title={t.program}>
    {update && update.outcome !== 'done' && (
      <Alert tone="warning" className="mb-3">
        {update.outcome === 'back'
          ? t.updateRolledBack(update.to, formatDateTime(update.at), update.why ?? '')
          : t.updateInterrupted(update.to, formatDateTime(update.at))}
      </Alert>
    )}
    <dl>
      <Fact term={t.version}>{app.version}</Fact>
      {update?.outcome === 'done' && (
        <Fact term={t.lastUpdate}>{t.updateDone(update.from, formatDateTime(update.at))}</Fact>
      )}
      <Fact term={t.node}>{app.node}</Fact>
      <Fact term={t.since}>{formatDateTime(app.started_at)}</Fact>
      <Fact term={t.readers}>{t.confinements[app.confinement]}</Fact>
    </dl>
  </Card>
);
