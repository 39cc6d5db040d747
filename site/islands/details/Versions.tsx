import * as t from '#messages/versions.ts';
import VersionList from '../versions/VersionList.tsx';
import { Section } from './Section.tsx';
import type { PartProps } from './sections.ts';

/** More are shown in a dialog. */
const SHOWN = 3;

/** What the file held before. */
export default function Versions({ item, screen }: PartProps) {
  // Where no dialog can be opened, such as in Trash, versions are not to be had.
  if (!screen) return null;
  const onAll = () => screen.openDialog({ dialog: 'versions', item });
  return (
    <Section title={t.title}>
      <VersionList item={item} few={{ most: SHOWN, onAll }} />
    </Section>
  );
}
