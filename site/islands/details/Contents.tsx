import * as t from '#messages/details.ts';
import { SumsSection } from './SumsSection.tsx';
import type { PartProps } from './sections.ts';

/** Totals of a folder's contents, including subfolders. */
export const Contents = ({ item }: PartProps) => <SumsSection title={t.contents} ids={[item.id]} inside />;
