/** A text as callers send it, and what a field without markup keeps of it (decisions §3, Text). */
export interface ForeignText {
  readonly sent: string;
  /** The text without markup; absent if the text has none. */
  readonly stripped?: string;
}

const plain = [
  // Unicode forms of one text, which must stay apart.
  'Caf\u00e9',
  'Cafe\u0301',
  '\u212bngstr\u00f6m \ufb01n \u00df \u0130\u0131 \u01c5 \u017f',
  '\u1112\u1161\u11ab\u1100\u1173\u11af',
  `Z${'\u0300\u0489'.repeat(20)}`,
  // Right to left, with controls of the direction and without.
  '\u05e9\u05dc\u05d5\u05dd 12 \u0645\u0631\u062d\u0628\u0627',
  '\u202egnp.ekac\u202c',
  '\u2066x\u2069\u200f\u061c',
  // Invisible characters.
  'a\u200bb\u200cc\u200dd\u2060e\u00adf\u034fg\u180eh',
  '\u200b',
  '\u3164\u2800',
  // One character of several code points, or of two code units.
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}',
  '\u{1f1e9}\u{1f1ea}\u{1f1e6}',
  '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '\u{1f44d}\u{1f3fd} 1\ufe0f\u20e3 \u2764\ufe0f',
  '\u{20bb7}\u91ce\u5bb6 \u{1d4d2}\u{1d4ea}\u{1d4f4}\u{1d4ee}',
  // Quotes, backslashes, escapes of other languages.
  `"quoted" 'single' \`back\` \u201edeutsch\u201c`,
  String.raw`C:\new\table\ \u0041 \ud83c \x00 \0`,
  'ends with \\',
  // Templates and patterns of replacement.
  '{{7*7}} {{constructor.constructor("x")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is the data.
  '${7*7} #{7*7} {0} %{x}',
  '%s %d %n %00 %2e%2e %F0%9F',
  "$& $1 $` $' $$",
  '{CHECKOUT_SESSION_ID}',
  // Queries and commands.
  `Robert'); DROP TABLE orders;--`,
  '" OR ""="',
  '{"$gt":""}',
  '#pk = :v0 OR attribute_exists(pk)',
  '=HYPERLINK("http://x.example","y")',
  '@SUM(1+1)*cmd|\u2032 /C calc',
  '$(id) && `id`; | rm -rf *',
  '../../etc/passwd',
  'a/b?c=d&e#f~g',
  // Words that programs know.
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-0',
  '1e999',
  '[object Object]',
  '{}',
  '[erased]',
  // Controls and separators.
  'a\u0001\u0008\u001b[31m\u001f\u007f\u0085\u009fb',
  'a\tb\nc\r\nd\re',
  'a\u000b\u000cb',
  'a\u2028b\u2029c',
  'a\ufeffb',
  // Noncharacters, private use, the highest code points, the replacement character.
  '\uffff\ufffe\ufdd0\u{1ffff}\u{10ffff}',
  '\ue000\u{f0000}',
  '\ufffd',
  // Less-than signs that open no tag, and entities.
  '1 < 2',
  'a<b',
  'a<b,c',
  '<3 </3 <> < b> <b.c>',
  '&lt;b&gt; &amp;amp; &#39; &nbsp',
] as const;

const withMarkup: readonly ForeignText[] = [
  { sent: '<a title="1>2">Rye</a>', stripped: 'Rye' },
  { sent: 'Rye <script>alert(1)</script>', stripped: 'Rye alert(1)' },
  { sent: 'Rye <img src=x onerror=alert(1)', stripped: 'Rye' },
  { sent: 'Rye<!-- > never closed', stripped: 'Rye' },
  { sent: 'R<!doctype x>y<?php 1 ?>e', stripped: 'Rye' },
  { sent: '$<name> Rye', stripped: '$ Rye' },
  { sent: '<scr<script>ipt>Rye', stripped: 'Rye' },
  { sent: 'Rye <b/>\u{1f370}</b >', stripped: 'Rye \u{1f370}' },
];

/** Difficult texts of at most 64 characters, which every field for free text accepts. */
export const foreignTexts: readonly ForeignText[] = [
  ...plain.map((sent) => ({ sent })),
  { sent: ' \u00a0\u3000\ufeff\n Rye \u2003\u2029\r\n' },
  ...withMarkup,
];

/** Texts that no Unicode encoding can carry whole, and NUL: no field accepts them. */
export const impossibleTexts: readonly string[] = [
  '\0',
  'a\0b',
  '\ud83c',
  'a\udf70b',
  '\udf70\ud83c',
  '\ud83c\ud83c\udf70',
  '\u{1f370}\ud83c',
];

/** The longest text: this many characters of four bytes each. */
export const longest = (characters: number): string => '\u{1f370}'.repeat(characters);

/** Fields with markup: descriptions, notes, free-form values, addresses, and what the dashboard authored. */
const keepsMarkup = /(^|\.)(description|notes|address|delivery_address|metadata|custom_fields)(\.|$)/;
/** Ids that look up a record. Markup is never removed from them. */
const looksUp = /(^|\.)((product|variant|customer|order|schedule|endpoint|event|account)_id|transaction_id|delivery_time|id|key|confirm)$/;
/** Ids of other systems, which look up nothing. */
const looksUpNothing = /(^|\.)(supplier\.id|gateway\.transaction_id)$/;

/** Returns the text that a field keeps, by the rules of decisions §3 and the specification. */
export const storedText = (operation: string, field: string, { sent, stripped }: ForeignText): string => {
  if (/order$|^order\./i.test(operation) && field === 'payment_method') return sent;
  const isAsSent = operation.startsWith('settings.') || keepsMarkup.test(field) || (looksUp.test(field) && !looksUpNothing.test(field));
  return isAsSent ? sent.trim() : (stripped ?? sent.trim());
};
