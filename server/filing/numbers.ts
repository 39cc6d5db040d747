import type { KnownField, KnownFields } from '#server/fields/contract.ts';
import { DOCUMENT_TYPES } from '#server/recognition/contract.ts';
import type { DocumentType } from '#server/recognition/contract.ts';
import type { ClientEvidence } from './contract.ts';

const PAN = /^[A-Z]{5}\d{4}[A-Z]$/;
const GSTIN = /^\d{2}([A-Z]{5}\d{4}[A-Z])[A-Z\d]{3}$/;
const TAN = /^[A-Z]{4}\d{5}[A-Z]$/;
/** A CIN, or the LLPIN of a partnership. */
const CIN = /^(?:[LU]\d{5}[A-Z]{2}\d{4}[A-Z]{3}\d{6}|[A-Z]{3}-\d{4})$/;
export const PATTERNS = { pan: PAN, gstin: GSTIN, tan: TAN, cin: CIN };

type NumberKind = ClientEvidence & keyof typeof PATTERNS;

/** The PAN within a GSTIN; undefined for anything else. */
export const panWithin = (gstin: string | null | undefined): string | undefined =>
  GSTIN.exec(gstin?.toUpperCase() ?? '')?.[1];

const NUMBERS = ['pan', 'gstin', 'tan', 'cin', 'llpin'];
/** The parties whose document it is, by the prefix of their keys: of a document type the first that it has. */
const OWNERS = [['employee_'], ['deductee_'], ['supplier_', 'buyer_'], ['']];
/** Employers and deductors issue papers that belong to somebody else. */
const ISSUER = /^(?:employer|deductor)_/;
export const isOfIssuer = (key: string): boolean => ISSUER.test(key);

/**
 * Statements and returns of one taxpayer, which list employers, deductors, suppliers and buyers: every number but the
 * taxpayer's own is somebody else's.
 */
const OF_ONE_TAXPAYER =
  /^(?:form_26as|ais|tis|itr|itr_v|computation|gstr_1|gstr_2b|gstr_3b|gstr_9|gst_registration)$/;

/** A number that may identify a client. */
export interface IdentifyingNumber {
  by: NumberKind;
  value: string;
}

/** The certain numbers of a document by whose they are. */
export interface Numbers {
  /** Those of the party whose document it is, or of whom that may be. */
  own: IdentifyingNumber[];
  /** Those of the employer or deductor who issued it. */
  issuer: IdentifyingNumber[];
  /** Others in the text, of anybody; those of lists are left out. */
  others: IdentifyingNumber[];
  /** Whether the PAN or GSTIN of each party whose document it may be is known, so that others are strangers to it. */
  isOwned: boolean;
}

const fieldsOf = (type: string | null): readonly string[] =>
  DOCUMENT_TYPES[type as DocumentType]?.fields ?? [];

/** The keys of the numbers of whom the document may be, one list for each party. */
function ownKeys(type: string | null): string[][] {
  const ofType = fieldsOf(type);
  const byParty = OWNERS.map((prefixes) =>
    prefixes
      .map((prefix) => NUMBERS.map((name) => prefix + name).filter((key) => ofType.includes(key)))
      .filter((keys) => keys.length > 0),
  );
  return byParty.find((parties) => parties.length > 0) ?? [];
}

/** The certain fields of the document type itself; a number that only stands in the text may be anybody's. */
export function certainOfType({ type, fields }: Pick<KnownFields, 'type' | 'fields'>): KnownField[] {
  const ofType = fieldsOf(type);
  const labelledKeys = new Set(fields.filter(({ labelled }) => labelled).map(({ key }) => key));
  return fields.filter(
    ({ key, sure, labelled }) => sure && ofType.includes(key) && (labelled || !labelledKeys.has(key)),
  );
}

const kindOf = (value: string): NumberKind | undefined =>
  (Object.keys(PATTERNS) as NumberKind[]).find((kind) => PATTERNS[kind].test(value));

/** The certain PAN, GSTIN, TAN, CIN and LLPIN of a document by whose they are. */
export function numbersIn({ type, fields }: Pick<KnownFields, 'type' | 'fields'>): Numbers {
  const certain = fields.flatMap(({ key, kind, value, sure, labelled }) => {
    const by = kind === 'identifier' && sure ? kindOf(value) : undefined;
    return by ? [{ key, by, value, labelled }] : [];
  });
  const parties = ownKeys(type);
  const own = certain.filter(({ key, labelled }) => labelled && parties.flat().includes(key));
  const isTaxpayer = ({ by }: IdentifyingNumber): boolean => by === 'pan' || by === 'gstin';
  const isOwned =
    parties.length > 0 &&
    parties.every((keys) => own.some((one) => keys.includes(one.key) && isTaxpayer(one)));
  const rest = certain.filter((one) => !own.includes(one));

  if (OF_ONE_TAXPAYER.test(type ?? '')) {
    if (fields.some(({ key, labelled }) => labelled && parties.flat().includes(key)))
      return { own, issuer: [], others: [], isOwned };
    // Without a label, the only taxpayer in the text is the one.
    const pans = new Set(rest.filter(isTaxpayer).map(({ value }) => panWithin(value) ?? value));
    const isOnlyOne = pans.size === 1 && !rest.some(({ by }) => by === 'tan');
    return { own: isOnlyOne ? rest : [], issuer: [], others: [], isOwned: isOnlyOne };
  }
  const hasIssuer = fieldsOf(type).some(isOfIssuer);
  // An employee is a person, whose PAN has P as its fourth letter.
  const isOfPerson = parties.flat().some((key) => key.startsWith('employee_'));
  const mayOwn = ({ key, by, value }: (typeof rest)[number]): boolean =>
    by === 'pan' && !isOfIssuer(key) && (!isOfPerson || value[3] === 'P');
  // Of several without a label one is the issuer's, and nobody knows which.
  const isUnclear = own.length === 0 && new Set(rest.filter(mayOwn).map(({ value }) => value)).size > 1;
  const issuer = hasIssuer ? rest.filter((one) => isOwned || isUnclear || !mayOwn(one)) : [];
  return { own, issuer, others: rest.filter((one) => !issuer.includes(one)), isOwned };
}
