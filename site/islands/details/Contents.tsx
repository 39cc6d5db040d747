import * as t from '#messages/details.ts';
import { SumsSection } from './SumsSection.tsx';
import type { PartProps } from './sections.ts';

/** What a folder holds, through all its folders. */
export const Contents = ({ item }: PartProps) => <SumsSection title={t.contents} ids={[item.id]} inside />;
