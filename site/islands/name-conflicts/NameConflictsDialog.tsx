import { useId, useState } from 'react';
import { formatBytes } from '#server/text/format-bytes.ts';
import { extensionOf } from '#server/text/extension.ts';
import { itemCount } from '#messages/items.ts';
import * as t from '#messages/nameConflicts.ts';
import * as uploads from '#messages/uploads.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { cx } from '../../lib/cx.ts';
import { formatDate, formatDateTime } from '../../lib/format.ts';
import { may } from '../../lib/permissions.ts';
import { trashDays } from '../../lib/trash.ts';
import type { PendingQuestion } from '../../lib/questionQueue.ts';
import type { Choice, ConflictQuestion, NameConflict } from './questions.ts';

const CHOICES: readonly Choice[] = ['keep', 'merge', 'replace', 'skip'];
/** Whether a folder meets a folder, so that their contents can be put together. */
const areFolders = ({ file, existing }: NameConflict): boolean =>
  file.folder === true && existing.type === 'folder';
const LABELS: Record<Choice, string> = {
  keep: t.keepBoth,
  merge: t.mergeFolders,
  replace: t.replace,
  skip: t.skip,
};
const WORDS = {
  upload: {
    about: { keep: t.keepBothAbout, replace: t.replaceAbout, skip: t.skipAbout },
    arriving: t.newFile,
    all: uploads.uploadFiles,
    others: t.uploadTheOthers,
    othersToo: t.othersToo,
  },
  move: {
    about: { keep: t.keepMovedAbout, replace: t.replaceMovedAbout, skip: t.skipMovedAbout },
    arriving: t.movedItem,
    all: t.moveItems,
    others: t.moveTheOthers,
    othersToo: t.othersMovedToo,
  },
  restore: {
    about: { keep: t.keepRestoredAbout, replace: t.replaceRestoredAbout, skip: t.skipRestoredAbout },
    arriving: t.restoredItem,
    all: t.restoreItems,
    others: t.restoreTheOthers,
    othersToo: t.othersRestoredToo,
  },
};
/** What merging does, with the clients whose documents would become those of another one. */
function mergeAbout(
  conflicts: readonly NameConflict[],
  instead: NonNullable<ConflictQuestion['instead']>,
): string {
  const taking = new Map<string, Set<string>>();
  for (const { file, existing } of conflicts.filter(areFolders))
    if (file.client && existing.client && file.client !== existing.client.name)
      taking.set(file.client, (taking.get(file.client) ?? new Set()).add(existing.client.name));
  const toTrash = instead === 'move' && trashDays() > 0;
  return [
    t.mergeFoldersAbout,
    toTrash ? t.emptiedToTrash : t.emptiedDeleted,
    ...Array.from(taking, ([from, to]) => t.documentsWillBelong(from, [...to])),
  ].join(' ');
}
/** The maximum number of lines; the other files follow the choice for all. */
const MOST_LINES = 100;

/** `Form 16 (2).pdf`, as the server names the second file of a name. */
const numbered = ({ name, folder }: NameConflict['file']): string =>
  folder ? `${name} (2)` : name.replace(/(\.\w+)?$/, ' (2)$1');

/** Asks once what to do with all files whose names are taken. */
export default function NameConflictsDialog({
  question: { conflicts, sameContent, others = 0, instead = 'upload' },
  answer,
}: PendingQuestion<ConflictQuestion, readonly Choice[] | null>) {
  const [forAll, setForAll] = useState<Choice>('keep');
  const [single, setSingle] = useState<ReadonlyMap<number, Choice>>(new Map());
  const name = useId();
  const offered = (choice: Choice, conflict: NameConflict): boolean =>
    (choice !== 'replace' || !conflict.existing.sealed) &&
    (choice !== 'merge' || (instead !== 'upload' && may('documents.write') && areFolders(conflict)));
  /** Where the choice for all is not offered, as for a sealed file, both are kept. */
  const choiceOf = (index: number): Choice => {
    const choice = single.get(index) ?? forAll;
    return offered(choice, conflicts[index]!) ? choice : 'keep';
  };
  // A folder is not replaced: it gets a number.
  const canReplace = conflicts.some(
    ({ existing, file }) => !existing.sealed && existing.type !== 'folder' && !file.folder,
  );
  const words = WORDS[instead];
  const { about, arriving } = words;
  const aboutChoice: Record<Choice, string> = {
    keep: about.keep(numbered(conflicts[0]!.file)),
    replace: conflicts.some(({ file }) => file.folder)
      ? `${about.replace} ${t.foldersNumbered}`
      : about.replace,
    merge: mergeAbout(conflicts, instead),
    skip: about.skip,
  };
  const many = conflicts.length > 1;
  const skipped = conflicts.filter((_, index) => choiceOf(index) === 'skip').length;
  const uploadCount = conflicts.length - skipped + others;

  return (
    <Dialog
      isOpen
      size="md"
      role="alertdialog"
      title={
        many
          ? t.namesTaken(conflicts.length)
          : (conflicts[0]!.isChosen ? t.sameName : t.nameTaken)(conflicts[0]!.existing.name)
      }
      onOpenChange={(open) => open || answer(null)}
    >
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          answer(conflicts.map((_, index) => choiceOf(index)));
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-1 font-medium">{many ? t.doForAll : t.whatToDo}</legend>
            {CHOICES.filter((choice) =>
              choice === 'replace' ? canReplace : conflicts.some((conflict) => offered(choice, conflict)),
            ).map((choice) => (
              <div
                key={choice}
                className={cx(
                  'relative flex items-start gap-3 rounded-md border px-3 py-2',
                  forAll === choice ? 'border-accent-line bg-accent-soft' : 'border-line hover:bg-hover',
                )}
              >
                <input
                  id={`${name}-${choice}`}
                  type="radio"
                  name={name}
                  value={choice}
                  checked={forAll === choice}
                  autoFocus={choice === 'keep'}
                  aria-describedby={`${name}-${choice}-says`}
                  onChange={() => {
                    setForAll(choice);
                    setSingle(new Map());
                  }}
                  className="mt-1 accent-(--accent)"
                />
                <div className="min-w-0">
                  <label htmlFor={`${name}-${choice}`} className="font-medium after:absolute after:inset-0">
                    {LABELS[choice]}
                  </label>
                  <p id={`${name}-${choice}-says`} className="text-sm text-muted">
                    {aboutChoice[choice]}
                  </p>
                </div>
              </div>
            ))}
          </fieldset>
          <ul aria-label={t.takenNames} className="flex flex-col divide-y divide-line border-y border-line">
            {conflicts.slice(0, MOST_LINES).map((conflict, index) => (
              <Line
                key={index}
                conflict={conflict}
                arriving={arriving}
                choice={choiceOf(index)}
                choices={CHOICES.filter((choice) => offered(choice, conflict))}
                {...(many && { onChoose: (choice: Choice) => setSingle(new Map(single).set(index, choice)) })}
              />
            ))}
          </ul>
          {conflicts.length > MOST_LINES && (
            <p className="text-sm text-muted">{t.moreTaken(conflicts.length - MOST_LINES)}</p>
          )}
          {others > 0 && <p className="text-sm text-muted">{words.othersToo(others)}</p>}
          {sameContent > 0 && <p className="text-sm text-muted">{t.sameContentThere(sameContent)}</p>}
        </DialogBody>
        <DialogFooter>
          <Button onPress={() => answer(null)}>
            {instead === 'upload' ? t.cancelTheUpload : common.cancel}
          </Button>
          <Button type="submit" variant="primary">
            {uploadCount === 0 ? t.skip : skipped > 0 ? words.others : words.all(uploadCount)}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

const folderText = (contents: string | null | undefined): string =>
  contents ? t.folderOf(contents) : t.aFolder;

function Line({
  conflict: { file, existing, isChosen, path = [] },
  arriving,
  choice,
  choices,
  onChoose,
}: {
  conflict: NameConflict;
  arriving: (about: string) => string;
  choice: Choice;
  choices: readonly Choice[];
  onChoose?: (choice: Choice) => void;
}) {
  const [thereAt, arrivingAt] = [existing.modified_at, new Date(file.lastModified).toISOString()];
  const isSameDay = formatDate(thereAt) === formatDate(arrivingAt);
  const sizeAndDate = (size: number, date: string) =>
    `${formatBytes(size)}, ${isSameDay ? formatDateTime(date) : formatDate(date)}`;
  const existingText =
    existing.type === 'folder'
      ? folderText(existing.children_count == null ? null : itemCount(existing.children_count))
      : sizeAndDate(existing.file_size ?? 0, thereAt);
  const arrivingText = file.folder ? folderText(file.contents) : sizeAndDate(file.size, arrivingAt);
  return (
    <li className="flex items-center gap-3 py-2">
      <FileGlyph fileType={file.folder ? null : extensionOf(file.name)} size={20} />
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0">
          <MiddleCut text={file.name} />
        </p>
        {path.length > 0 && (
          <p className="flex min-w-0 text-xs text-muted">
            <MiddleCut text={path.join(' / ')} />
          </p>
        )}
        <p className="tabular flex flex-wrap gap-x-3 text-xs text-muted">
          <span>{(isChosen ? t.alsoChosen : t.existingFile)(existingText)}</span>
          <span>{arriving(arrivingText)}</span>
          {existing.sealed && <span>{t.isSealed}</span>}
        </p>
      </div>
      {onChoose && (
        <select
          aria-label={t.forFile([...path, file.name].join(' / '))}
          value={choice}
          onChange={({ target }) => onChoose(target.value as Choice)}
          className="h-8 shrink-0 rounded-md border border-line-strong bg-raised px-2 pointer-coarse:h-11"
        >
          {choices.map((each) => (
            <option key={each} value={each}>
              {LABELS[each]}
            </option>
          ))}
        </select>
      )}
    </li>
  );
}
