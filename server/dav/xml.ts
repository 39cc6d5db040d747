import sax from 'sax';
import { badRequest } from '#server/http/errors.ts';

/** The namespace of WebDAV. */
export const DAV_NS = 'DAV:';

/** A parsed element. */
export interface Element {
  ns: string;
  name: string;
  children: Element[];
  /** The text directly within the element. */
  text: string;
  /** The serialized content, self-contained as to namespaces. */
  inner: string;
}

/** Maximum nesting, and maximum number of elements. */
const LIMITS = { depth: 20, elements: 2000 };
const UNREADABLE = 'The XML of the request cannot be read.';

export const escapeXml = (text: string): string =>
  text
    .replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)
    // Characters that XML cannot represent.
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');

const opened = (ns: string, name: string, attributes: string, inner: string): string =>
  `<x:${name} xmlns:x="${escapeXml(ns)}"${attributes}>${inner}</x:${name}>`;

/**
 * Parses a small document. A DOCTYPE is rejected because of entity expansion attacks.
 * @throws {AppError} 400 when it is malformed.
 */
export function readXml(text: string): Element {
  const parser = sax.parser(true, { xmlns: true, position: false });
  const open: (Element & { attributes: string })[] = [];
  let root: Element | undefined;
  let count = 0;
  const refuse = (): never => {
    throw badRequest(UNREADABLE, 'malformed_xml');
  };
  const add = (piece: string): void => {
    const top = open.at(-1);
    if (!top) return;
    top.text += piece;
    top.inner += escapeXml(piece);
  };
  Object.assign(parser, {
    onerror: refuse,
    ondoctype: refuse,
    onopentag(tag: sax.QualifiedTag) {
      count += 1;
      if (open.length >= LIMITS.depth || count > LIMITS.elements) refuse();
      // A prefix without a namespace is an error.
      if (tag.prefix !== '' && tag.uri === '') refuse();
      const attributes = Object.values(tag.attributes)
        .filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns')
        .map(({ prefix, local, uri, value }) => {
          if (prefix === '') return ` ${local}="${escapeXml(value)}"`;
          if (prefix === 'xml') return ` xml:${local}="${escapeXml(value)}"`;
          return ` xmlns:a-${prefix}="${escapeXml(uri)}" a-${prefix}:${local}="${escapeXml(value)}"`;
        })
        .join('');
      open.push({ ns: tag.uri, name: tag.local, children: [], text: '', inner: '', attributes });
    },
    onclosetag() {
      const { attributes, ...element } = open.pop()!;
      const parent = open.at(-1);
      if (!parent) root = element;
      else {
        parent.children.push(element);
        parent.inner += opened(element.ns, element.name, attributes, element.inner);
      }
    },
    ontext: add,
    oncdata: add,
  } satisfies Partial<sax.SAXParser>);
  parser.write(text).close();
  return root ?? refuse();
}

/** The first child with this name in the DAV namespace. */
export const childOf = (element: Element, name: string): Element | undefined =>
  element.children.find((child) => child.ns === DAV_NS && child.name === name);

/** Serializes a property; without a namespace it has no prefix. */
export const propertyXml = (ns: string, name: string, inner = ''): string => {
  if (ns === DAV_NS) return inner === '' ? `<d:${name}/>` : `<d:${name}>${inner}</d:${name}>`;
  const [tag, bound] = ns === '' ? [name, ' xmlns=""'] : [`x:${name}`, ` xmlns:x="${escapeXml(ns)}"`];
  return inner === '' ? `<${tag}${bound}/>` : `<${tag}${bound}>${inner}</${tag}>`;
};

export const XML_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
