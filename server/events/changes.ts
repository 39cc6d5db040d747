import type { ChangeKind, ChangePiece } from './contract.ts';

/** A change, as published to the hub. */
export interface Change {
  kind: ChangeKind;
  /** Left out if anything of the kind may have changed. */
  items?: readonly number[] | undefined;
  parents?: readonly (number | null)[] | undefined;
  /** 0 stands for things without a client. Listeners with limited access receive the change if they see one of these. */
  clients?: readonly number[] | undefined;
  /** Set if only this user may receive the change. */
  userId?: number | undefined;
}

/** The clients that a user with limited access sees. */
export interface VisibleClients {
  clients: ReadonlySet<number>;
  /** Whether the user also sees things without a client. */
  unassigned: boolean;
}

/** Longer lists of ids are left out, which means that anything may have changed. */
const MAX_IDS = 100;

/** Audited reads, which change nothing on a screen. */
const READS = new Set(['document.download', 'document.download_refused', 'client.export', 'field.export']);
/** The kinds of changes by module, and exceptions for single actions. */
const KINDS_BY_MODULE: Record<string, readonly ChangeKind[]> = {
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
const KINDS_BY_ACTION: Record<string, readonly ChangeKind[]> = {
  'label.put': ['items'],
  'label.take': ['items'],
  'template.apply': ['items'],
  'retention.destroy': ['retention', 'items'],
  'scanning.infected': ['items'],
  'scanning.too_large': ['items'],
  // Lists mark files that were sent back.
  'request.accept': ['requests', 'items'],
  'request.accept_file': ['requests', 'items'],
  'request.return': ['requests', 'items'],
  'request.return_file': ['requests', 'items'],
  'request.reopen': ['requests', 'items'],
  'request.delete': ['requests', 'items'],
  'request.reopen_file': ['requests', 'items'],
  'client.create': ['clients'],
  'auth.update_profile': ['team'],
  'auth.email_changed': ['team'],
  'auth.two_step_on': ['team'],
  'auth.two_step_off': ['team'],
  'auth.passkey_added': ['team'],
  'auth.passkey_removed': ['team'],
};

/** The kinds of changes that an audited action (`module.verb`) makes to screens. */
export function kindsOf(did: string): readonly ChangeKind[] {
  if (READS.has(did)) return [];
  return KINDS_BY_ACTION[did] ?? KINDS_BY_MODULE[did.slice(0, did.indexOf('.'))] ?? [];
}

/** Whether an audited action may end sessions or change rights in the firm. */
export const touchesSessions = (did: string): boolean => /^(?:auth|team|access)\./.test(did);

const union = <T>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined =>
  a && b ? [...new Set([...a, ...b])] : undefined;
const unlessTooMany = <T>(all: readonly T[] | undefined): readonly T[] | undefined =>
  all && all.length <= MAX_IDS ? all : undefined;

/** Merges changes that were made close together into one of each kind. */
export function merged(changes: readonly Change[]): Change[] {
  const all = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.kind} ${change.userId ?? ''}`;
    const before = all.get(key);
    all.set(key, {
      ...change,
      items: unlessTooMany(before ? union(before.items, change.items) : change.items),
      parents: unlessTooMany(before ? union(before.parents, change.parents) : change.parents),
      // Never shortened, since listeners with limited access depend on it.
      clients: before ? [...new Set([...(before.clients ?? []), ...(change.clients ?? [])])] : change.clients,
    });
  }
  return [...all.values()];
}

/** Kinds that a listener with limited access receives only for the clients that it sees. */
const CLIENT_KINDS: ReadonlySet<ChangeKind> = new Set(['items', 'notes', 'fields', 'clients', 'shares']);

/** The part of these changes that a listener may receive; `visibleClients` is null for one that sees all of the firm. */
export function piecesFor(
  changes: readonly Change[],
  userId: number,
  visibleClients: VisibleClients | null,
): ChangePiece[] {
  return changes.flatMap(({ kind, items, parents, clients, userId: only }): ChangePiece[] => {
    if (only !== undefined && only !== userId) return [];
    if (visibleClients === null || !CLIENT_KINDS.has(kind)) {
      const listed = unlessTooMany(clients);
      return [
        {
          kind,
          ...(items && { items: [...items] }),
          ...(parents && { parents: [...parents] }),
          ...(listed && { clients: [...listed] }),
        },
      ];
    }
    // Folders and items are left out, since some of them may not be visible to this user.
    const seen =
      clients?.filter((id) => (id === 0 ? visibleClients.unassigned : visibleClients.clients.has(id))) ?? [];
    return seen.length > 0 ? [{ kind, ...(seen.length <= MAX_IDS && { clients: seen }) }] : [];
  });
}
