import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { badRequest } from '#server/http/errors.ts';
import { CUT_OFF } from './contract.ts';
import { watchClient } from './watch-client.ts';

/** A multipart body being parsed. */
interface OpenForm {
  parser: busboy.Busboy;
  /** The text fields received so far. */
  fields: Record<string, string>;
  /** Stops the parsing; only the first failure counts. */
  fail: (error: unknown) => void;
  failure: () => unknown;
  /** Reads the body to its end, or to the first failure, which leaves the rest unread. @param stallAfter milliseconds. @param most bytes. */
  read: (stallAfter: number, most?: number) => Promise<void>;
}

/**
 * Parses a multipart body and collects its text fields; the caller listens for `file` events of the parser.
 * @throws {AppError} 400 if the body is not multipart.
 */
export function openForm(request: IncomingMessage, limits: busboy.Limits): OpenForm {
  const parser = parserOf(request, limits);
  const fields: Record<string, string> = Object.create(null);
  let failure: unknown;
  const fail = (error: unknown) => {
    // Destroying the parser causes further errors.
    if (failure) return;
    failure = error;
    request.unpipe(parser);
    // Deferred: the parser still uses its file stream after emitting the event that called this.
    process.nextTick(() => parser.destroy());
  };
  parser.on('field', (name, value, { valueTruncated }) => {
    if (valueTruncated) fail(badRequest('A field of the form is too long.'));
    else if (name) fields[name] = value;
  });
  // An 'error' event before the store reads the stream would end the process without this listener.
  parser.on('file', (_field, stream) => stream.on('error', () => {}));
  parser.on('fieldsLimit', () => fail(badRequest('The form has too many fields.')));
  parser.on('partsLimit', () => fail(badRequest('The form has too many parts.')));
  parser.on('error', fail);
  return {
    parser,
    fields,
    fail,
    failure: () => failure,
    async read(stallAfter, most) {
      // A truncated body ends the file stream without an error; only the parser's 'close' comes after the error event.
      const closed = new Promise((resolve) => parser.once('close', resolve));
      const stopWatching = watchClient(request, stallAfter, fail, most);
      request.pipe(parser);
      await closed;
      stopWatching();
    },
  };
}

function parserOf(request: IncomingMessage, limits: busboy.Limits): busboy.Busboy {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw badRequest('An upload must be sent as multipart/form-data.');
  }
  try {
    return busboy({ headers: request.headers, defParamCharset: 'utf8', limits });
  } catch {
    throw badRequest('The upload has no usable boundary in its Content-Type.');
  }
}

/** Translates busboy's plain errors. */
export function toFormError(error: unknown): unknown {
  const reason = error instanceof Error ? error.message : '';
  if (reason.startsWith('Unexpected end of')) return badRequest(CUT_OFF, 'cut_off');
  if (reason === 'Malformed part header') return badRequest('The form has a part that cannot be read.');
  return error;
}
