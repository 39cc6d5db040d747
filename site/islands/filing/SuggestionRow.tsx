import { useRef, useState } from 'react';
import { ArrowRight, Pencil } from 'lucide-react';
import type { Suggestion } from '#server/filing/contract.ts';
import { checkName, tidyName } from '#server/text/file-names.ts';
import { monthOf } from '#server/text/years.ts';
import type { DocumentType } from '#server/recognition/contract.ts';
import { documentTypes } from '#messages/documentTypes.ts';
import * as t from '#messages/filing.ts';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { ClientPicker } from '../../components/ClientPicker.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { TextField } from '../../components/TextField.tsx';
import { WholeYears } from '../../components/WholeYears.tsx';
import { cx } from '../../lib/cx.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import { SentBackMark } from '../items/SentBackMark.tsx';
import type { Edit } from './drafts.ts';

export interface SuggestionRowProps {
  suggestion: Suggestion;
  /** Whether the document is in the list of unidentified ones, which explains this once for all rows. */
  unknown?: boolean;
  chosen: boolean;
  /** The newly chosen client while the folder and name for it are loading; the suggestion still has the former one. */
  assigning: Suggestion['client'];
  /** @param extend whether to select the range from the last selected row. */
  onChoose: (on: boolean, extend: boolean) => void;
  onEdit: (edit: Edit) => void;
  /** @param byKey whether the keyboard was used; the focus then moves to the next row. */
  onClient: (client: { id: number; name: string }, byKey: boolean) => void;
  onNewClient: () => void;
  onFile: (byKey: boolean) => void;
}

/** A button with a client's name, which may need two lines on a phone. */
const WRAPPING = 'h-auto! min-h-7 max-w-full py-1 text-left whitespace-normal! break-words';
const SEPARATOR = ' / ';
const parsePath = (path: string): string[] =>
  path
    .split('/')
    .map((line) => line.trim())
    .filter(Boolean);

/** Why a document cannot be filed as it is, by field; for names as when an item is renamed. */
export const faultsOf = ({ folder, name }: Suggestion) => ({
  folder: folder.map((part) => checkName(tidyName(part))).find((reason) => reason !== null),
  name: checkName(tidyName(name)) ?? undefined,
});
export const isFaulty = (suggestion: Suggestion): boolean =>
  Object.values(faultsOf(suggestion)).some((fault) => fault !== undefined);

/** A document with its type and the suggested client, folder and name, which can be edited in place. */
export function SuggestionRow({
  suggestion,
  unknown = false,
  chosen,
  assigning,
  onChoose,
  onEdit,
  onClient,
  onNewClient,
  onFile,
}: SuggestionRowProps) {
  const { item, type, period, clients, client, base, folder, name, sure, doubts, taken, new_client } =
    suggestion;
  const faults = faultsOf(suggestion);
  const isWrong = client !== null && isFaulty(suggestion);
  const [open, setOpen] = useState(false);
  // A fault stays in sight.
  if (isWrong && !open) setOpen(true);
  // The click event that a label dispatches to its checkbox does not have the modifier keys.
  const extend = useRef(false);
  const byKey = useRef(false);
  // The row keeps its height when its client is chosen, so that the rows below do not move.
  const [tall] = useState(client === null);
  const typeName = type === null ? null : (documentTypes[type as DocumentType] ?? type);
  const pickedClient = assigning ?? client;
  const match = clients.find(({ id }) => id === client?.id);
  const about = [
    typeName,
    period && (monthOf(period) ?? period),
    match && `${t.clientEvidence[match.by]}: ${match.value}`,
  ]
    .filter(Boolean)
    .join(' · ');
  const whose =
    new_client && [new_client.name, new_client.gstin || new_client.pan].filter(Boolean).join(' · ');
  const reasons = unknown ? '' : doubts.map((doubt) => t.doubts[doubt]).join(' · ');
  return (
    <li
      data-id={item.id}
      onPointerDownCapture={() => void (byKey.current = false)}
      onKeyDownCapture={() => void (byKey.current = true)}
      className={cx(
        'flex items-start gap-3 border-b border-line py-3 sm:px-2',
        // On a phone the buttons give the fields the whole width.
        open && 'max-sm:flex-wrap',
        tall && 'min-h-21.5',
      )}
    >
      <div
        role="presentation"
        onPointerDownCapture={({ shiftKey }) => void (extend.current = shiftKey)}
        onKeyDownCapture={({ shiftKey }) => void (extend.current = shiftKey)}
        className="select-none"
      >
        <Checkbox
          aria-label={t.choose(item.name)}
          isDisabled={client === null}
          isSelected={chosen}
          onChange={(on) => onChoose(on, extend.current)}
          className="pt-0.5 pointer-coarse:p-2"
        />
      </div>
      <FileGlyph fileType={item.file_type} size={24} className="mt-0.5 shrink-0 max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <a
            href={driveHref({ folderId: item.parent_id, previewId: item.id })}
            className="rounded-xs font-medium wrap-anywhere text-text no-underline underline-offset-2 hover:underline"
          >
            {item.name}
          </a>
          <SentBackMark item={item} />
          <span className="min-w-0 text-sm break-words text-muted">{about}</span>
          {whose && <span className="min-w-0 text-sm wrap-anywhere">{whose}</span>}
          {sure && <Badge tone="success">{t.sure}</Badge>}
          {reasons && (
            <span className="text-sm">
              <Badge tone="warning">{t.check}</Badge> {reasons}
            </span>
          )}
        </p>
        {doubts.includes('two_clients') && (
          <p className="mt-1.5 flex flex-wrap items-center gap-2 text-sm">
            {t.whichClient}
            {clients.map(({ id, name: called, by, value, distinct_by }) => (
              <Button
                key={id}
                size="sm"
                className={WRAPPING}
                onPress={() => onClient({ id, name: called }, byKey.current)}
              >
                {`${[called, distinct_by].filter(Boolean).join(', ')} (${t.clientEvidence[by]}: ${value})`}
              </Button>
            ))}
          </p>
        )}
        {client !== null && !open && (
          <p className="mt-1 flex min-w-0 items-start gap-1.5 text-sm">
            <ArrowRight aria-hidden size={14} className="mt-0.5 shrink-0 text-muted" />
            <span className="sr-only">{t.goesTo}</span>
            <span className="min-w-0 break-words">
              <span className="text-muted">
                <WholeYears text={`${[base, ...folder].join(SEPARATOR)}${SEPARATOR}`} />
              </span>
              <span className="font-medium">
                <WholeYears text={name} />
              </span>
              {taken && <span className="block text-warning-text">{t.taken}</span>}
            </span>
          </p>
        )}
        {(open || client === null) && (
          <div className="mt-2 grid grid-cols-1 gap-3 md:grid-cols-3">
            <div className={cx(client === null && 'flex flex-wrap items-center gap-2 md:col-span-3')}>
              <ClientPicker
                label={t.client}
                hideLabel={client === null}
                className={client === null ? 'w-full max-w-80' : ''}
                placeholder={t.clientPlaceholder}
                value={pickedClient && { id: String(pickedClient.id), label: pickedClient.name }}
                onChange={(option) =>
                  option && onClient({ id: Number(option.id), name: option.label }, byKey.current)
                }
              />
              {client === null && (
                <Button size="sm" variant="quiet" className={WRAPPING} onPress={onNewClient}>
                  {t.newClient(new_client?.name ?? '')}
                </Button>
              )}
            </div>
            {client !== null && (
              <>
                <TextField
                  label={t.folder}
                  error={faults.folder}
                  description={t.folderHint}
                  defaultValue={folder.join(SEPARATOR)}
                  key={`${client.id} ${base}`}
                  onChange={(text) => onEdit({ folder: parsePath(text), taken: false })}
                  autoComplete="off"
                />
                <TextField
                  label={t.newName}
                  error={faults.name}
                  value={name}
                  maxLength={255}
                  onChange={(text) => onEdit({ name: text, taken: false })}
                  autoComplete="off"
                />
              </>
            )}
          </div>
        )}
      </div>
      {client !== null && (
        <div
          className={cx(
            'flex shrink-0 gap-1.5 sm:flex-row sm:items-start',
            open ? 'max-sm:basis-full max-sm:justify-end' : 'flex-col',
          )}
        >
          <Button
            size="sm"
            variant="quiet"
            aria-label={t.changeNamed(item.name)}
            aria-expanded={open}
            isDisabled={isWrong}
            icon={<Pencil aria-hidden size={14} />}
            onPress={() => setOpen(!open)}
          >
            <span className="max-sm:sr-only">{open ? t.done : t.change}</span>
          </Button>
          <Button
            size="sm"
            data-files
            aria-label={t.fileNamed(item.name)}
            isDisabled={assigning !== null || isWrong}
            onPress={() => onFile(byKey.current)}
          >
            {t.file}
          </Button>
        </div>
      )}
    </li>
  );
}
