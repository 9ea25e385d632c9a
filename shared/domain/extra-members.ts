import * as v from 'valibot';
import { finiteNumber, markup } from '../core/fields.ts';

const maxMembers = 50;
const maxMemberText = 500;

const few = v.check((value: Record<string, unknown>) => Object.keys(value).length <= maxMembers, `must have at most ${maxMembers} members`);
const fewMembers = { maxProperties: maxMembers };
const plainObject = v.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);
/** Names that the parser drops, lest they become part of an object's prototype: refused, so that nothing is lost in silence. */
const reserved = ['__proto__', 'prototype', 'constructor'];
const takenNames = v.check(
  (value: Record<string, unknown>) => !reserved.some((name) => Object.hasOwn(value, name)),
  `must not have members named ${reserved.join(', ')}`,
);
const name = v.pipe(
  v.string(),
  v.maxLength(255, 'has a name over 255 characters'),
  v.check((text) => !text.includes('\0'), 'has a NUL character'),
);

/** `metadata`: texts by name, up to 50 of 500 characters. */
export const metadata = () => v.pipe(plainObject, few, v.metadata(fewMembers), takenNames, v.record(name, markup(maxMemberText)));

/** An address as one text or as members of one level (`line1`, `city`, …), echoed as it was sent. */
export type Address = string | Readonly<Record<string, string | null>>;

const addressMembers = v.pipe(plainObject, few, v.metadata(fewMembers), takenNames, v.record(name, v.nullable(markup(maxMemberText))));
const addressLine = markup();

export const address = () =>
  v.pipe(
    v.lazy((value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? addressMembers : addressLine)),
    v.metadata({ alternatives: [addressLine, addressMembers] }),
  );

/** On one line, for people. */
export const addressText = (value: Address): string =>
  typeof value === 'string' ? value : Object.values(value).filter(Boolean).join(', ');

/** `custom_fields`: a text, number, boolean or list of texts by key; which keys exist is the account's settings' business. */
export const customFieldValues = () =>
  v.pipe(
    plainObject,
    few,
    v.metadata(fewMembers),
    takenNames,
    v.record(
      name,
      v.union(
        [v.null(), v.boolean(), finiteNumber(), markup(maxMemberText), v.pipe(v.array(markup(maxMemberText)), v.maxLength(maxMembers))],
        `must be a text of at most ${maxMemberText} characters, a number, true, false or a list of texts`,
      ),
    ),
  );
