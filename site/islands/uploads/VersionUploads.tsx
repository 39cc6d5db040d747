import { useStore } from '@nanostores/react';
import { uploads as label } from '#messages/uploadPanel.ts';
import { rows } from './rows.ts';
import { UploadRow } from './UploadRow.tsx';
import { queue } from './uploads.ts';

/** The uploads of new versions of a file, where the panel of all uploads may be covered. */
export function VersionUploads({ id }: { id: number }) {
  const uploads = useStore(queue.$uploads, { ssr: 'initial' });
  const ofFile = uploads.filter(({ versionOf }) => versionOf?.id === id);
  if (ofFile.length === 0) return null;
  return (
    <ul aria-label={label}>
      {ofFile.flatMap((upload) => rows([upload]).map((row) => <UploadRow key={row.id} row={row} />))}
    </ul>
  );
}
