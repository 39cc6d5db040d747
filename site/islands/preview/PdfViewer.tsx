import { useMemo } from 'react';
import { unlockedUrl } from '#server/reading/locked/contract.ts';
import * as t from '#messages/preview.ts';
import { passwordCalls } from './pdfPassword.ts';
import { Failure } from './Failure.tsx';
import type { ViewerProps } from './ImageViewer.tsx';
import { Loading } from './Loading.tsx';
import { PdfDocument } from './PdfDocument.tsx';
import { PdfPassword } from './PdfPassword.tsx';
import { useScanText } from './scanWords.ts';
import { useSource } from './source.ts';
import type { Passwords } from './usePdf.ts';
import { usePdf } from './usePdf.ts';

const NOBODY: Passwords = { known: async () => null, typed: () => {} };

/** Needs another React `key` for another `url`. */
export default function PdfViewer({ item, url, onRetry }: ViewerProps) {
  const { id } = item;
  // The server stores no passwords for earlier versions.
  const isKept = useSource(item) === `/api/documents/${id}`;
  const passwords = useMemo<Passwords>(
    () =>
      isKept
        ? {
            known: () => passwordCalls.known(id),
            // The PDF is open; if storing the password failed, the user is asked again next time.
            typed: ({ password, remember }) =>
              void passwordCalls.typed(id, password, remember).catch(() => undefined),
          }
        : NOBODY,
    [isKept, id],
  );
  const opening = usePdf(url, passwords);
  const scanText = useScanText(item);
  if (opening.state === 'open')
    return (
      <PdfDocument
        pdf={opening.pdf}
        size={opening.size}
        itemId={id}
        name={item.name}
        scanText={scanText}
        takesFocus={opening.wasTyped}
        unlocked={opening.wasLocked && isKept ? unlockedUrl(id) : null}
      />
    );
  if (opening.state === 'failed' && opening.damaged)
    return (
      <Failure title={t.pdfDamaged} item={item}>
        {t.pdfDamagedAbout}
      </Failure>
    );
  if (opening.state === 'failed') return <Failure title={t.pdfFailed} item={item} onRetry={onRetry} />;
  if (opening.state === 'locked')
    return (
      <PdfPassword
        again={opening.again}
        isKept={isKept}
        clientName={isKept ? item.client_name : null}
        onAnswer={opening.answer}
      />
    );
  return <Loading />;
}
