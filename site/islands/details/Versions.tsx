import * as t from '#messages/versions.ts';
import VersionList from '../versions/VersionList.tsx';
import { Section } from './Section.tsx';
import type { PartProps } from './sections.ts';

/** Versions listed; the dialog has all. */
const MAX_SHOWN = 3;

/** The earlier versions of a file. */
export default function Versions({ item, screen }: PartProps) {
  // Versions are unavailable on screens without dialogs, such as Trash.
  if (!screen) return null;
  const onAll = () => screen.openDialog({ dialog: 'versions', item });
  return (
    <Section title={t.title}>
      <VersionList item={item} few={{ most: MAX_SHOWN, onAll }} />
    </Section>
  );
}
