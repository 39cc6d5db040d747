import { Model } from 'objection';
import type { TemplateView } from './contract.ts';
import { parseOutline } from './contract.ts';

export class Template extends Model {
  static override tableName = 'folder_templates';

  declare id: number;
  declare firm_id: number;
  declare name: string;
  declare name_key: string;
  declare outline: string;
  declare version: number;
  declare created_at: string;
  declare updated_at: string;

  toView(): TemplateView {
    const { id, name, outline, version } = this;
    const folders = parseOutline(outline).count;
    return { id: String(id), name, outline, folders, built_in: false, version };
  }
}
