import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { badRequest } from '#server/http/errors.ts';
import { CUT_OFF } from './contract.ts';
import { FILE_BUFFER, watch } from './watch-client.ts';

/** A multipart body that is being read. */
export interface OpenForm {
  parser: busboy.Busboy;
  /** The text fields that came so far. */
  fields: Record<string, string>;
  /** Ends the reading: the first failure is the one to tell. */
  fail: (error: unknown) => void;
  failure: () => unknown;
  /** Reads the body to its end, or to the first failure; the rest is then still unread. */
  read: (stallAfter: number) => Promise<void>;
}

/**
 * Reads the text fields of a multipart body; its files are the caller's.
 * @throws {AppError} 400 for what is not such a body.
 */
export function openForm(request: IncomingMessage, limits: busboy.Limits): OpenForm {
  const parser = parserOf(request, limits);
  const fields: Record<string, string> = Object.create(null);
  let failure: unknown;
  const fail = (error: unknown) => {
    // Destroying the parser makes others.
    if (failure) return;
    failure = error;
    request.unpipe(parser);
    // Not at once: the parser goes on using its file stream after the event that brought us here.
    process.nextTick(() => parser.destroy());
  };
  parser.on('field', (name, value, { valueTruncated }) => {
    if (valueTruncated) fail(badRequest('A field of the form is too long.'));
    else if (name) fields[name] = value;
  });
  // The store reads a file's errors too; without a listener one that comes earlier would end the process.
  parser.on('file', (_field, stream) => stream.on('error', () => {}));
  parser.on('fieldsLimit', () => fail(badRequest('The form has too many fields.')));
  parser.on('partsLimit', () => fail(badRequest('The form has too many parts.')));
  parser.on('error', fail);
  return {
    parser,
    fields,
    fail,
    failure: () => failure,
    async read(stallAfter) {
      // A body that ends too early ends the file's stream as if it were whole; only the form's own end tells.
      const closed = new Promise((resolve) => parser.once('close', resolve));
      const stopWatching = watch(request, stallAfter, fail);
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
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits,
      fileHwm: FILE_BUFFER,
    });
  } catch {
    throw badRequest('The upload has no usable boundary in its Content-Type.');
  }
}

/** busboy says what is wrong with a form as a plain Error. */
export function told(error: unknown): unknown {
  const reason = error instanceof Error ? error.message : '';
  if (reason.startsWith('Unexpected end of')) return badRequest(CUT_OFF, 'cut_off');
  if (reason === 'Malformed part header') return badRequest('The form has a part that cannot be read.');
  return error;
}
