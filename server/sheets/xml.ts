import type { SAXParser } from 'sax';
import sax from 'sax';
import { SheetsUnreadable } from './contract.ts';

export type Attributes = Record<string, string>;

/** Handlers for the pieces of a document. Names have no namespace prefix. */
export interface Reading {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
  /** Called after each piece: whether to stop reading. */
  enough?(): boolean;
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

function decoderFor(first: Buffer) {
  const mark = first.length > 1 ? first.readUInt16BE(0) : 0;
  if (mark === 0xfffe) return new TextDecoder('utf-16le');
  return new TextDecoder(mark === 0xfeff ? 'utf-16be' : 'utf-8', { fatal: true });
}

/**
 * Parses XML from a stream. A document type declaration is refused: no Office file needs one, and it could define
 * entities.
 * @throws {SheetsUnreadable} `damaged` for malformed XML.
 */
export async function readXml(pieces: AsyncIterable<Buffer>, reading: Reading): Promise<void> {
  const parser: SAXParser = sax.parser(true, { position: false });
  const refuse = (cause?: unknown) => {
    throw new SheetsUnreadable('damaged', undefined, { cause });
  };
  const handlers: Partial<SAXParser> = {
    onopentag: ({ name, attributes }) => reading.open?.(local(name), attributes as Attributes),
    onclosetag: (name) => reading.close?.(local(name)),
    ontext: (text) => reading.text?.(text),
    oncdata: (text) => reading.text?.(text),
    ondoctype: refuse,
    onerror(error) {
      // Some programs write "Rao & Sons" unescaped, which is unambiguous.
      if (!/^Invalid character (?:in )?entity/.test(error.message)) refuse(error);
      Object.assign(parser, { error: null });
    },
  };
  Object.assign(parser, handlers);
  let decoder: ReturnType<typeof decoderFor> | undefined;
  for await (const piece of pieces) {
    decoder ??= decoderFor(piece);
    let text: string;
    try {
      text = decoder.decode(piece, { stream: true });
    } catch (error) {
      throw new SheetsUnreadable('damaged', undefined, { cause: error });
    }
    parser.write(text);
    if (reading.enough?.()) return;
  }
  parser.close();
}
