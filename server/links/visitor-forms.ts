import { createHmac } from 'node:crypto';
import { isSameSecret } from '#server/http/secrets.ts';

/** A visitor of a link's page: the token of its address, and the cookie of the browser for it, '' without one. */
interface PageVisitor {
  token: string;
  cookie: string;
}

/**
 * CSRF tokens for the forms and scripts of pages that people outside the firm open by a link.
 * @param purpose keeps the tokens of different kinds of pages apart.
 */
export function createVisitorForms(secret: Buffer, purpose: string) {
  const formOf = ({ token, cookie }: PageVisitor): string =>
    createHmac('sha256', secret).update(`${purpose}\0${token}\0${cookie}`).digest('base64url');
  return {
    /** The CSRF token of this visitor's forms. */
    formOf,
    /** Whether a form was sent by a page of this visitor. @param form its CSRF token. */
    isOurs: (visitor: PageVisitor, form: string): boolean =>
      visitor.cookie !== '' && isSameSecret(form, formOf(visitor)),
  };
}
