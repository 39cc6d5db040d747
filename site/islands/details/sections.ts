import type { ComponentType } from 'react';
import type { Permission } from '#server/actor.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { ItemDetails } from '#server/documents/details/contract.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import type { ItemScreenModel } from '../items/ItemListModel.ts';
import { Access } from './Access.tsx';
import { Client } from './Client.tsx';
import { Contents } from './Contents.tsx';
import { Facts } from './Facts.tsx';
import { History } from './History.tsx';
import { Labels } from './Labels.tsx';
import { Notes } from './Notes.tsx';
import { Place } from './Place.tsx';
import { LinksSection } from './Links.tsx';
import { RetentionSection } from './Retention.tsx';
import { SealSection } from './Seal.tsx';
import { TextSection } from './Text.tsx';

const Fields = lazyWithRetry(() => import('./Fields.tsx'));
const Versions = lazyWithRetry(() => import('./Versions.tsx'));

/** What each part of the details is given. It is drawn anew, with a state of its own, for each item. */
export interface PartProps {
  item: ItemView;
  /** Undefined until they have come. */
  details: ItemDetails | undefined;
  /** The screen whose dialogs can be opened from here; null where it has none. */
  screen: Pick<ItemScreenModel, 'openDialog' | 'open'> | null;
}

interface Part {
  name: string;
  /** Asks for what it shows by itself, and draws itself within a Section. A large one is a `lazyPart`. */
  Part: ComponentType<PartProps>;
  /** Left out, both. */
  only?: ItemView['type'];
  /** Without it the part is left out. */
  needs?: Permission;
}

/** All that the details tell of one item, from above. One more part is one more line. */
export const PARTS: readonly Part[] = [
  { name: 'facts', Part: Facts },
  { name: 'seal', Part: SealSection },
  { name: 'retention', Part: RetentionSection },
  { name: 'fields', Part: Fields, only: 'file' },
  { name: 'contents', Part: Contents, only: 'folder' },
  { name: 'labels', Part: Labels },
  { name: 'text', Part: TextSection, only: 'file' },
  { name: 'notes', Part: Notes },
  { name: 'client', Part: Client },
  { name: 'place', Part: Place },
  { name: 'access', Part: Access },
  { name: 'versions', Part: Versions, only: 'file' },
  { name: 'links', Part: LinksSection, needs: 'share' },
  { name: 'history', Part: History, needs: 'history.read' },
];
