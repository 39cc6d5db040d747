import { useState } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { Folder } from 'lucide-react';
import * as common from '#messages/common.ts';
import * as t from '#messages/shareTarget.ts';
import { Button } from '../../components/Button.tsx';
import { ClientPicker } from '../../components/ClientPicker.tsx';
import { queryClientFor } from '../../lib/cache.ts';
import type { ShareTarget } from '../../lib/share-target/store.ts';
import { FolderDialog } from '../items/dialogs/FolderDialog.tsx';

const NOBODY = new Set<number>();

export const placeName = ({ folder }: ShareTarget): string => folder?.name ?? common.myDrive;

/** Fields for the client and the folder of the files. */
export function TargetFields({
  userId,
  value,
  onChange,
}: {
  userId: number;
  value: ShareTarget;
  onChange: (to: ShareTarget) => void;
}) {
  const [choosing, setChoosing] = useState(false);
  const [cache] = useState(() => queryClientFor(userId, []));
  const { client } = value;
  return (
    <>
      <ClientPicker
        label={t.client}
        placeholder={t.noClient}
        description={t.clientHint}
        value={client && { id: client.id, label: client.name }}
        onChange={(choice) => onChange({ ...value, client: choice && { id: choice.id, name: choice.label } })}
      />
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <p className="text-sm font-medium">{t.folder}</p>
          <p className="mt-1 flex items-center gap-2">
            <Folder aria-hidden size={16} className="shrink-0 text-muted" />
            <span className="truncate">{placeName(value)}</span>
          </p>
        </div>
        <Button onPress={() => setChoosing(true)} aria-label={`${t.change}: ${t.folder}`}>
          {t.change}
        </Button>
      </div>
      {choosing && (
        <QueryClientProvider client={cache}>
          <FolderDialog
            title={t.chooseFolder}
            startId={value.folder?.id ?? null}
            excluded={NOBODY}
            canCreate
            label={t.folderChosen}
            onChoose={async ({ id, name }) => {
              onChange({ ...value, folder: id === null ? null : { id, name } });
              return true;
            }}
            onClose={() => setChoosing(false)}
          />
        </QueryClientProvider>
      )}
    </>
  );
}
