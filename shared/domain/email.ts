import * as v from 'valibot';
import { bounds, plainString } from '../core/fields.ts';
import { foldCase, hasAtMost } from '../core/text.ts';

const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\s\u2800]/u;
const localPart = /^(?:"[^"@<>]+"|[^",:;?@<>]+)$/u;
const domainLabel = /^(?!-)[^",:;?@<>]{1,63}(?<!-)$/u;

const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const labels = text.slice(at + 1).split('.');
  const isLocal = localPart.test(local) && hasAtMost(local, 64);
  return isLocal && labels.length > 1 && labels.every((label) => domainLabel.test(label)) && !invisible.test(text);
};

/** A trimmed email address. Markup in it is an error and is never removed (decisions §3). */
export const email = () =>
  v.pipe(
    plainString,
    // The lookup key of the email (`emailKey`) must also fit, because NFC normalization can make a text longer.
    v.check(
      (text) => hasAtMost(text, bounds.email) && hasAtMost(foldCase(text), bounds.email),
      `must be at most ${bounds.email} characters long`,
    ),
    v.metadata({ maxLength: bounds.email, format: 'email' }),
    v.check(isEmail, 'must be an email address'),
  );
