import type { ComponentType } from 'react';
import type { Permission } from '#server/permissions.ts';
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

/** The props of each section of the details. A section is remounted for each item. */
export interface PartProps {
  item: ItemView;
  /** Undefined until loaded. */
  details: ItemDetails | undefined;
  /** The screen whose dialogs can be opened from here; null if it has none. */
  screen: Pick<ItemScreenModel, 'openDialog' | 'open'> | null;
}

interface Part {
  name: string;
  /** Loads its own data and renders itself in a Section. A large one is loaded by `lazyWithRetry`. */
  Part: ComponentType<PartProps>;
  /** Undefined: for files and folders. */
  only?: ItemView['type'];
  /** The permission required to see the section. */
  needs?: Permission;
}

/** The sections of an item's details, in display order. */
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
