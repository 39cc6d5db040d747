import { FolderSync } from 'lucide-react';
import type { ProgramView } from '#server/auth/paired-programs/contract.ts';
import * as t from '#messages/desktop.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { formatDate, formatDateTime, relativeTime } from '../../lib/format.ts';
import { AccessRow, AccessRows } from './AccessRow.tsx';
import { useRevocableList } from './useRevocableList.ts';

export interface ProgramsProps {
  programs: ProgramView[];
  appName: string;
  /** The server's time in milliseconds, so that server and browser render the same. */
  now: number;
}

/** The connected uploader programs, below the list of devices. */
export function Programs({ programs: initial, appName, now }: ProgramsProps) {
  const { area, rows, alert, revokeButton } = useRevocableList(initial, {
    path: (id) => `/api/desktop/devices/${id}`,
    question: ({ name }) => ({
      title: t.disconnectQuestion(name),
      body: t.disconnectAbout,
      action: t.disconnect,
    }),
    ended: t.disconnected,
    failed: t.disconnectFailed,
  });

  if (rows.length === 0 && !alert) return null;
  return (
    <div ref={area} className="mt-4 flex flex-col items-start gap-4">
      {alert && <Alert>{alert}</Alert>}
      <AccessRows>
        {rows.map((program) => (
          <AccessRow
            key={program.id}
            icon={FolderSync}
            name={t.programName(appName, program.name)}
            actions={
              <Button size="sm" aria-label={t.disconnectOne(program.name)} {...revokeButton(program)}>
                {t.disconnect}
              </Button>
            }
          >
            <p className="text-sm text-pretty text-muted" title={formatDateTime(program.last_used_at)}>
              {t.programUsed(
                program.version,
                program.place,
                relativeTime(program.last_used_at, now),
                formatDate(program.connected_at),
              )}
            </p>
          </AccessRow>
        ))}
      </AccessRows>
    </div>
  );
}
