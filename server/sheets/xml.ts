import type { SAXParser } from 'sax';
import sax from 'sax';
import { SheetsUnreadable } from './contract.ts';

export type Attributes = Record<string, string>;

/** What is done with each piece of a document. Names come without their prefix. */
export interface Reading {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
  /** Asked after each piece: whether the rest need not be read. */
  enough?(): boolean;
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

function decoderFor(first: Buffer) {
  const mark = first.length > 1 ? first.readUInt16BE(0) : 0;
  if (mark === 0xfffe) return new TextDecoder('utf-16le');
  return new TextDecoder(mark === 0xfeff ? 'utf-16be' : 'utf-8', { fatal: true });
}

/**
 * Reads a document as it streams by. A document type is refused, since nobody needs one here and entities are made there.
 * @throws {SheetsUnreadable} `damaged` when it is not sound XML.
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
      // Some programs write "Rao & Sons" as it is, and there is no doubt what they mean.
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
