import { badRequest } from '#server/http/errors.ts';

/** A condition on a resource: locked with this token, or has this entity tag; negated by `not`. */
interface Condition {
  not: boolean;
  token?: string;
  etag?: string;
}

/** Conditions that must all hold; `resource` null means the requested one. */
interface ConditionList {
  resource: string | null;
  conditions: Condition[];
}

const UNREADABLE = 'The If header of the request cannot be read.';
const PIECE = /\s*(?:<([^<>]*)>|(\()|(\))|(Not)\b|\[((?:W\/)?"[^"]*")\])/iy;

/**
 * Parses an If header (RFC 4918, 10.4) into lists, of which at least one must hold.
 * @throws {AppError} 400.
 */
export function readIf(header: string): ConditionList[] {
  const lists: ConditionList[] = [];
  let resource: string | null = null;
  let list: ConditionList | null = null;
  let not = false;
  const refuse = (): never => {
    throw badRequest(UNREADABLE, 'bad_if');
  };
  PIECE.lastIndex = 0;
  while (header.slice(PIECE.lastIndex).trim() !== '') {
    const found: RegExpExecArray = PIECE.exec(header) ?? refuse();
    const [, angled, opens, closes, negated, etag] = found;
    if (opens) {
      if (list) refuse();
      list = { resource, conditions: [] };
    } else if (closes) {
      if (!list || list.conditions.length === 0 || not) refuse();
      lists.push(list!);
      list = null;
    } else if (negated) {
      if (!list || not) refuse();
      not = true;
    } else if (list) {
      list.conditions.push({ not, ...(etag === undefined ? { token: angled! } : { etag }) });
      not = false;
    } else if (angled !== undefined) resource = angled;
    else refuse();
  }
  if (list || lists.length === 0) refuse();
  return lists;
}

/** The lock tokens that the client claims to hold. */
export const tokensIn = (lists: readonly ConditionList[]): Set<string> =>
  new Set(
    lists.flatMap(({ conditions }) => conditions.flatMap(({ token, not }) => (token && !not ? [token] : []))),
  );
