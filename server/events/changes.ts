import type { ChangeKind, ChangePiece } from './contract.ts';

/** What has changed, in the words of the hub. */
export interface Change {
  kind: ChangeKind;
  /** Left out when anything may be concerned. */
  items?: readonly number[] | undefined;
  parents?: readonly (number | null)[] | undefined;
  /** 0 for what is tied to no client. Whoever sees only some clients hears of these. */
  clients?: readonly number[] | undefined;
  /** Only this user is concerned. */
  userId?: number | undefined;
}

/** Which clients' things a reader may see. */
export interface Sight {
  clients: ReadonlySet<number>;
  /** And what is tied to no client. */
  unassigned: boolean;
}

/** More ids than this say no more than that anything may be concerned. */
const MOST = 100;

/** What is read, and changes nothing that a screen shows. */
const READING = new Set(['document.download', 'document.download_refused', 'client.export', 'field.export']);
const KINDS: Record<string, readonly ChangeKind[]> = {
  document: ['items'],
  note: ['notes'],
  field: ['fields'],
  label: ['labels'],
  archive: ['items'],
  client: ['clients', 'items'],
  template: ['templates'],
  subscription: ['plan'],
  payments: ['plan'],
  invoices: ['plan'],
  team: ['team'],
  access: ['team', 'items', 'clients'],
  share: ['shares'],
  request: ['requests'],
  drop: ['shares'],
  portal: ['shares'],
  retention: ['retention'],
};
const SINGLE: Record<string, readonly ChangeKind[]> = {
  'label.put': ['items'],
  'label.take': ['items'],
  'template.apply': ['items'],
  'retention.destroy': ['retention', 'items'],
  'scanning.infected': ['items'],
  'scanning.too_large': ['items'],
  'client.create': ['clients'],
  'auth.update_profile': ['team'],
  'auth.email_changed': ['team'],
  'auth.two_step_on': ['team'],
  'auth.two_step_off': ['team'],
  'auth.passkey_added': ['team'],
  'auth.passkey_removed': ['team'],
};

/** What screens show that is no longer the same after an audited `module.verb`. */
export function kindsOf(did: string): readonly ChangeKind[] {
  if (READING.has(did)) return [];
  return SINGLE[did] ?? KINDS[did.slice(0, did.indexOf('.'))] ?? [];
}

/** Whether sessions of the firm may have ended, or rights in it changed. */
export const touchesSessions = (did: string): boolean => /^(?:auth|team|access)\./.test(did);

const union = <T>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined =>
  a && b ? [...new Set([...a, ...b])] : undefined;
const few = <T>(all: readonly T[] | undefined): readonly T[] | undefined =>
  all && all.length <= MOST ? all : undefined;

/** Changes that came close together, as one of each kind. */
export function merged(changes: readonly Change[]): Change[] {
  const all = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.kind} ${change.userId ?? ''}`;
    const before = all.get(key);
    all.set(key, {
      ...change,
      items: few(before ? union(before.items, change.items) : change.items),
      parents: few(before ? union(before.parents, change.parents) : change.parents),
      // Never shortened: who sees some clients is told of nothing else.
      clients: before ? [...new Set([...(before.clients ?? []), ...(change.clients ?? [])])] : change.clients,
    });
  }
  return [...all.values()];
}

/** What is told to those only who see whose it is. */
const OF_CLIENTS: ReadonlySet<ChangeKind> = new Set(['items', 'notes', 'fields', 'clients', 'shares']);

/** What a reader is told of these changes; `sight` null sees all of the firm. */
export function piecesFor(changes: readonly Change[], userId: number, sight: Sight | null): ChangePiece[] {
  return changes.flatMap(({ kind, items, parents, clients, userId: only }): ChangePiece[] => {
    if (only !== undefined && only !== userId) return [];
    if (sight === null || !OF_CLIENTS.has(kind)) {
      const listed = few(clients);
      return [
        {
          kind,
          ...(items && { items: [...items] }),
          ...(parents && { parents: [...parents] }),
          ...(listed && { clients: [...listed] }),
        },
      ];
    }
    // Ids of folders and items could be of what is not to be seen.
    const seen = clients?.filter((id) => (id === 0 ? sight.unassigned : sight.clients.has(id))) ?? [];
    return seen.length > 0 ? [{ kind, ...(seen.length <= MOST && { clients: seen }) }] : [];
  });
}
