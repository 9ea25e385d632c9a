import { invalidValue } from '../../core/errors.ts';
import { bounds } from '../../core/fields.ts';
import { browserUrl } from '../../core/text.ts';

const placeholder = '{CHECKOUT_SESSION_ID}';

interface ReturnUrlOptions {
  /** The field that errors name. */
  readonly field: 'success_url' | 'cancel_url';
  readonly sessionId: string;
  /** Whether plain HTTP to this machine is allowed; in the local service only. */
  readonly allowLoopback: boolean;
}

/**
 * Returns the address to which a shopper returns, as stored (decisions §6, Checkout session):
 * absolute, ASCII, with the session's id for `{CHECKOUT_SESSION_ID}`. The placeholder is replaced
 * in the text as sent, because the URL standard would encode its braces in a path.
 */
export const returnUrl = (text: string, { field, sessionId, allowLoopback }: ReturnUrlOptions): string => {
  const url = browserUrl(text.replaceAll(placeholder, sessionId), { allowLoopback });
  if (!url) throw invalidValue(field, `${field} must be an HTTPS URL without credentials.`);
  if (url.host.includes(sessionId)) throw invalidValue(field, `${field} may have ${placeholder} in its path, query and fragment only.`);
  if (url.href.length > bounds.url)
    throw invalidValue(field, `${field} must be at most ${bounds.url} characters long, also percent-encoded and with the session's id.`);
  return url.href;
};
