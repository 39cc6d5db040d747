import { isToken } from './is-token.ts';
import type { FieldKey } from '../types/fields.ts';
import { FIELD_KINDS } from '../types/fields.ts';
import type { ValueKind } from '../contract.ts';

/** One value in the QR code of an e-invoice. */
export interface CodeValue {
  key: FieldKey;
  kind: ValueKind;
  /** The normal form, see `ValueKind`. */
  value: string;
  raw: string;
}

/** The content of an e-invoice's QR code; the signature is not checked here. */
interface TokenContent {
  /** The document type: INV, CRN or DBN; null for others. */
  document: 'INV' | 'CRN' | 'DBN' | null;
  values: CodeValue[];
}

const IDENTIFIER = {
  supplier_gstin: /^[0-9A-Z]{15}$/,
  buyer_gstin: /^[0-9A-Z]{15}$/,
  irn: /^[0-9a-f]{64}$/i,
};

function dateOf(text: string): string | null {
  const indian = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})/.exec(text);
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  const [year, month, day] = iso ? iso.slice(1) : indian ? indian.slice(1).toReversed() : [];
  if (!year || Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return null;
  return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}

function normalise(key: FieldKey, raw: string): string | null {
  const kind = FIELD_KINDS[key];
  if (kind === 'date') return dateOf(raw);
  if (kind === 'amount') {
    const rupees = /^(-?)(\d{1,13})(?:\.(\d{1,6}))?$/.exec(raw);
    if (!rupees) return null;
    const paise = Math.round(Number(`0.${rupees[3] ?? '0'}`) * 100) + Number(rupees[2]) * 100;
    return `${rupees[1]}${paise}`;
  }
  const value = kind === 'identifier' ? raw.replace(/\s/g, '').toUpperCase() : raw;
  const pattern = IDENTIFIER[key as keyof typeof IDENTIFIER];
  // For an unregistered buyer the code has URP.
  return value !== '' && value.length <= 100 && (!pattern || pattern.test(value)) ? value : null;
}

/** The portal's names of the fields. */
const NAMES: Record<string, FieldKey> = {
  SellerGstin: 'supplier_gstin',
  BuyerGstin: 'buyer_gstin',
  DocNo: 'invoice_no',
  DocDt: 'invoice_date',
  TotInvVal: 'total',
  MainHsnCode: 'hsn',
  Irn: 'irn',
  IrnDt: 'irn_date',
};

function parseJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Parses a token; null if it is not of an e-invoice. */
export function readToken(token: string): TokenContent | null {
  if (!isToken(token)) return null;
  const payload = parseJson(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  // The portal signs a JSON string within the payload.
  const data = typeof payload?.data === 'string' ? parseJson(payload.data) : payload;
  if (!data) return null;
  const byName = new Map(Object.entries(data).map(([name, value]) => [name.toLowerCase(), value]));
  const values = Object.entries(NAMES).flatMap(([name, key]): CodeValue[] => {
    const json = byName.get(name.toLowerCase());
    if (typeof json !== 'string' && typeof json !== 'number') return [];
    const raw = String(json).trim();
    const value = normalise(key, raw);
    return value === null ? [] : [{ key, kind: FIELD_KINDS[key], value, raw }];
  });
  if (!values.some(({ key }) => key === 'irn' || key === 'supplier_gstin')) return null;
  const document = /^(?:INV|CRN|DBN)$/.exec(String(byName.get('doctyp') ?? '').toUpperCase());
  return { document: (document?.[0] ?? null) as TokenContent['document'], values };
}
