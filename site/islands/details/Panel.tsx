import { useContext } from 'react';
import { HardDrive, Layers, MousePointerClick } from 'lucide-react';
import type { TrashView } from '#server/documents/trash/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/details.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { closeDetails } from '../../lib/detailsPanel.ts';
import type { DetailsMode } from '../../lib/detailsPanel.ts';
import type { ItemScreenModel } from '../items/ItemListModel.ts';
import { ItemScreenContext } from '../items/ItemListModel.ts';
import { Head, ItemParts } from './ItemParts.tsx';
import { LabelsOf } from './Labels.tsx';
import type { PartProps } from './sections.ts';
import type { Subject } from './subject.ts';
import { SumsSection } from './SumsSection.tsx';
import { TrashFacts } from './TrashFacts.tsx';
import { UnsavedDrafts } from './UnsavedDrafts.tsx';

export interface PanelProps {
  subject: Subject;
  shown: DetailsMode;
  /** Whether the list is Trash. */
  trash: boolean;
}

/** The content of the details, in the panel as well as in the sheet. */
export default function Panel(props: PanelProps) {
  const { subject } = props;
  return (
    <>
      <UnsavedDrafts shown={subject.kind === 'item' ? subject.id : null} />
      <Content {...props} />
    </>
  );
}

function Content({ subject, shown, trash }: PanelProps) {
  const model = useContext(ItemScreenContext);
  const screen = model && screenUnder(model, shown);
  switch (subject.kind) {
    case 'item':
      if (trash) return subject.item && <OfTrash item={subject.item as TrashView} />;
      return <ItemParts key={subject.id} id={subject.id} listed={subject.item} screen={screen} />;
    case 'several':
      return (
        <>
          <Head icon={<Layers aria-hidden size={20} className="text-muted" />}>
            {t.severalTitle(subject.items.length)}
          </Head>
          {!trash && <SumsSection title={t.selection} ids={subject.items.map(({ id }) => id)} />}
          {!trash && <LabelsOf items={subject.items} screen={screen} />}
        </>
      );
    case 'drive':
      return (
        <>
          <Head icon={<HardDrive aria-hidden size={20} className="text-muted" />}>{common.myDrive}</Head>
          <SumsSection title={t.contents} ids={[]} />
        </>
      );
    default:
      return (
        <EmptyState icon={<MousePointerClick size={26} />} title={t.noneTitle} className="py-10!">
          {t.noneAbout}
        </EmptyState>
      );
  }
}

/** On a sheet, opening a dialog or a preview closes the sheet first, which would otherwise cover it. */
function screenUnder({ openDialog, open }: ItemScreenModel, shown: DetailsMode): PartProps['screen'] {
  if (shown !== 'sheet') return { openDialog, open };
  return {
    openDialog(dialog) {
      closeDetails();
      openDialog(dialog);
    },
    open(item) {
      closeDetails();
      open(item);
    },
  };
}

const OfTrash = ({ item }: { item: TrashView }) => (
  <>
    <Head icon={<FileGlyph fileType={item.type === 'folder' ? null : item.file_type} size={20} />}>
      {item.name}
    </Head>
    <TrashFacts item={item} />
  </>
);
